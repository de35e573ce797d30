// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/work.h"

#include "explore/shares/share_bytes.h"

namespace heddle::explore {
void write(ByteWriter& out, const Learnt& learnt) {
  out.number((learnt.tries ? 1U : 0U) | (learnt.weak ? 2U : 0U) | (learnt.acts ? 4U : 0U));
}

Learnt read_learnt(ByteReader& in) {
  const std::uint32_t flags = in.below(8);
  return {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
}

std::string to_bytes(const WorkJob& job) {
  ByteWriter out;
  out.number(static_cast<std::uint64_t>(job.kind)).number(job.prune ? 1 : 0).number(job.finds_all ? 1 : 0);
  out.number(job.known.size());
  for (const AccessPair& pair : job.known) out.number(pair.first).number(pair.second);
  write(out, job.learnt);
  out.number(job.seconds).number(job.instructions).number(job.executions).number(job.events);
  write(out, job.share);
  return out.take();
}

Result<WorkJob> job_from(std::string_view bytes) {
  ByteReader in(bytes);
  WorkJob job;
  job.kind = static_cast<WorkJob::Kind>(in.below(2));
  job.prune = in.below(2) != 0;
  job.finds_all = in.below(2) != 0;
  for (std::uint32_t left = in.count(); left > 0 && !in.failed(); --left) {
    const AccessKey first = in.number();
    job.known.push_back({first, in.number()});
  }
  job.learnt = read_learnt(in);
  job.seconds = in.number();
  job.instructions = in.number();
  job.executions = in.number();
  job.events = in.number();
  job.share = read_share(in);
  if (in.failed() || !in.at_end()) return error("the job is damaged");
  return job;
}

std::string to_bytes(const WorkAnswer& answer) {
  ByteWriter out;
  out.text(answer.text);
  write(out, answer.learnt);
  write(out, answer.sights);
  write(out, answer.report);
  return out.take();
}

Result<WorkAnswer> work_answer_from(std::string_view bytes) {
  ByteReader in(bytes);
  WorkAnswer answer;
  answer.text = in.text();
  answer.learnt = read_learnt(in);
  answer.sights = read_sights(in);
  answer.report = read_share_report(in);
  if (in.failed() || !in.at_end()) return error("a worker's answer is damaged");
  return answer;
}

}  // namespace heddle::explore
