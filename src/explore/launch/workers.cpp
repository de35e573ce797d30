// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/workers.h"

#include <poll.h>

#include <algorithm>
#include <optional>

#include "explore/launch/process.h"
#include "explore/work/work.h"

namespace heddle::explore {
namespace {

std::string with_length(const std::string& bytes) {
  std::string out;
  for (std::size_t i = 0; i < length_bytes; ++i) out += static_cast<char>(bytes.size() >> 8 * i);
  return out + bytes;
}

}  // namespace

class Workers::Worker {
 public:
  explicit Worker(ProgramProcess process) : process_(std::move(process)) {}

  [[nodiscard]] bool is_idle() const { return !job_; }
  [[nodiscard]] std::size_t job() const { return *job_; }
  [[nodiscard]] int socket() const { return process_.socket(); }
  [[nodiscard]] bool is_dead() const { return is_dead_; }

  void give(std::size_t number, const std::string& job) {
    job_ = number;
    text_.clear();
    process_.send(with_length(job));  // one that has died is noticed when its answer is read
  }

  /// The answer, once it is whole; an error: it died.
  std::optional<Result<std::string>> read() {
    const bool goes_on = process_.read_some(text_);
    if (text_.size() >= length_bytes) {
      std::uint64_t size = 0;
      for (std::size_t i = length_bytes; i-- > 0;) size = size << 8 | static_cast<unsigned char>(text_[i]);
      if (size > longest_message) return give_up("sent something that is not understood");
      if (text_.size() - length_bytes >= size) {
        job_.reset();
        return text_.substr(length_bytes, size);
      }
    }
    if (goes_on) return std::nullopt;
    return give_up(process_.death());
  }

 private:
  Result<std::string> give_up(const std::string& why) {
    is_dead_ = true;
    job_.reset();
    return error(why);
  }

  ProgramProcess process_;
  std::optional<std::size_t> job_;
  std::string text_;
  bool is_dead_ = false;
};

Workers::Workers(LaunchJob job, unsigned most) : job_(std::move(job)), most_(std::max(most, 1U)) { job_.task = "work"; }
Workers::~Workers() = default;

void Workers::keep_one() {
  most_ = 1;
  if (workers_.size() > 1) workers_.resize(1);
}

Result<void> Workers::give_out(const std::vector<std::string>& jobs, std::size_t& next) {
  while (next < jobs.size()) {
    auto idle = std::ranges::find_if(workers_, [](const auto& worker) { return worker->is_idle(); });
    if (idle == workers_.end()) {
      if (workers_.size() >= most_) return {};
      Result<ProgramProcess> process = ProgramProcess::start(job_);
      if (!process && workers_.empty()) return std::unexpected(process.error());
      if (!process) return {};
      workers_.push_back(std::make_unique<Worker>(std::move(*process)));
      idle = workers_.end() - 1;
    }
    (*idle)->give(next, jobs[next]);
    ++next;
  }
  return {};
}

Result<bool> Workers::run(const std::vector<std::string>& jobs, const Stop& stop,
                          const std::function<void(std::size_t, Result<std::string>)>& done) {
  std::size_t next = 0;
  for (std::size_t answered = 0; answered < jobs.size();) {
    if (Result<void> given = give_out(jobs, next); !given) return std::unexpected(given.error());
    std::vector<pollfd> sockets;
    std::vector<std::size_t> busy;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i]->is_idle()) continue;
      sockets.push_back({workers_[i]->socket(), POLLIN, 0});
      busy.push_back(i);
    }
    poll(sockets.data(), sockets.size(), 100);
    if (stop.is_asked()) {
      workers_.clear();
      return false;
    }
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      if (sockets[i].revents == 0) continue;
      const std::size_t number = workers_[busy[i]]->job();
      std::optional<Result<std::string>> answer = workers_[busy[i]]->read();
      if (!answer) continue;
      ++answered;
      done(number, std::move(*answer));
    }
    std::erase_if(workers_, [](const auto& worker) { return worker->is_dead(); });
  }
  return true;
}

}  // namespace heddle::explore
