// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/scan_store.h"

#include <algorithm>
#include <chrono>

#include "base/build_identity.h"
#include "base/byte_stream.h"
#include "base/kept/kept_file.h"
#include "base/read_file.h"
#include "report/report_form.h"

namespace heddle::pipeline {
namespace {

constexpr const char* stage = "store";

/// One report is kept for each of these.
ContentHash question_of(const Input& input, const scan::ScanOptions& how, const Loaded& loaded) {
  Hasher h;
  h.add("report").add(loaded.coverage.program);
  for (const std::string& profile : input.profiles) h.add(profile);
  const auto& [dependent_groups, wide_call, component, stores] = how.limits;
  h.add(dependent_groups).add(wide_call).add(component).add(stores);
  for (const scan::AssumptionName& row : scan::assumption_names) h.add(how.assumptions.*row.is_on ? 1 : 0);
  const auto& [of_a_bucket, of_two_groups, of_a_free, large, hopeless, most] = how.candidates;
  h.add(how.histories ? 1 : 0)
      .add(how.values ? 1 : 0)
      .add(how.transactions ? 1 : 0)
      .add(static_cast<std::uint64_t>(how.cover));
  h.add(of_a_bucket).add(of_two_groups).add(of_a_free).add(large).add(hopeless).add(most);
  return h.finish();
}

ContentHash content_of(const Input& input, const Loaded& loaded) {
  Hasher h;
  h.add(loaded.key.high).add(loaded.key.low);
  for (const std::string& file : input.model_files) {
    const auto text = read_file(file);
    const ContentHash models = kept::seal_of("models", text.value_or("")).mac;
    h.add(file).add(models.high).add(models.low);
    // What came through a pipe cannot be read again: nothing is like it.
    if (!text) h.add(static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
  }
  return h.finish();
}

}  // namespace

ScanStore::ScanStore(const Input& input, const ScanOptions& options, const Loaded& loaded)
    : clock_(stages_),
      reuse_report_(options.reuse_report),
      question_(question_of(input, options.how, loaded)),
      content_(content_of(input, loaded)),
      records_(input.project + "/summaries", build_identity()) {
  clock_.finish(stage);
}

std::optional<RaceReport> ScanStore::report() {
  if (!reuse_report_) return std::nullopt;
  store::RecordStore::Reader reader(records_);
  const auto found = reader.find(question_);
  if (!found) return std::nullopt;
  ByteReader in(*found);
  if (in.hash() != content_) return std::nullopt;
  return report_of_bytes(in.text());
}

void ScanStore::keep(scan::ScanResult& result) {
  scan::StageClock clock(stages_);
  ByteWriter out;
  out.hash(content_).text(to_bytes(result.report));
  const bool is_known = [&] {
    store::RecordStore::Reader reader(records_);
    return reader.find(question_) == std::string_view(out.bytes());
  }();
  if (!is_known) records_.put(question_, out.take());
  records_.commit();
  clock.finish(stage);
  std::ranges::move(stages_, std::back_inserter(result.stats.stages));
}

}  // namespace heddle::pipeline
