// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/search_all.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "explore/launch/process.h"
#include "explore/launch/search_state.h"
#include "explore/launch/workers.h"

namespace heddle::explore {
namespace {

constexpr std::size_t shares_of_a_round = 32;
constexpr std::uint64_t executions_at_first = 64;
constexpr std::uint64_t executions_at_most = 1 << 11;
constexpr std::uint64_t events_of_a_share = 2'000'000;

class SearchAll {
 public:
  SearchAll(LaunchJob job, const SearchAllOptions& options)
      : program_(job.program),
        why_addresses_vary_(explore::why_addresses_vary()),
        workers_(std::move(job), why_addresses_vary_.empty() ? options.workers : 1),
        options_(options) {
    // What threads do may depend on addresses: a share is searched where it was made.
    if (why_addresses_vary_.empty()) state_file_ = options.state_file;
    out_.why_addresses_vary = why_addresses_vary_;
  }

  Result<SearchedAll> run() {
    if (Result<void> begun = begin(); !begun) return std::unexpected(begun.error());
    while (!is_found() && !state_.left.is_over() && why_.empty()) {
      if (options_.stop.is_asked()) {
        why_ = "the search ended early: " + options_.stop.why();
      } else if (Result<void> done = do_round(); !done) {
        return std::unexpected(done.error());
      }
    }
    return finish();
  }

 private:
  /// A search that was kept, or the first runs of a new one.
  Result<void> begin() {
    if (!state_file_.empty()) {
      Result<std::optional<SearchState>> kept = read_state(state_file_, options_.state_key);
      if (!kept) return std::unexpected(kept.error());
      if (*kept) {
        state_ = std::move(**kept);
        more_ = state_.learnt;
        learn();
        for (const std::string& text : state_.races)
          if (Result<void> read = add_races(text); !read) return read;
        out_.was_resumed = true;
        return {};
      }
    }
    options_.stop.tell("a few executions first", 0, 1, 0);
    WorkJob job;
    job.kind = WorkJob::Kind::Find;
    job.instructions = options_.find_instructions;
    job.seconds = seconds_of_a_job();
    std::vector<std::optional<WorkAnswer>> answers;
    if (Result<void> asked = ask({to_bytes(job)}, answers); !asked) return asked;
    learn();
    return {};
  }

  /// Something less than is left: an answer that comes too late is lost, with the races in it.
  [[nodiscard]] std::uint64_t seconds_of_a_job() const {
    const std::uint64_t left = options_.stop.seconds_left();
    return left == 0 ? 0 : std::max<std::uint64_t>(1, left - std::max<std::uint64_t>(1, left / 8));
  }

  Result<void> do_round() {
    const std::vector<std::size_t> round = state_.left.next_round(shares_of_a_round);
    WorkJob job;
    job.prune = options_.prune;
    job.finds_all = options_.finds_all;
    for (const AnsweredRace& race : out_.races) job.known.push_back(race.keys);
    job.learnt = state_.learnt;
    job.seconds = seconds_of_a_job();
    job.executions = std::min(executions_at_first << std::min<std::uint64_t>(state_.rounds, 20), executions_at_most);
    job.events = events_of_a_share;
    std::vector<std::string> jobs;
    for (const std::size_t number : round) {
      job.share = state_.left.share(number);
      jobs.push_back(to_bytes(job));
    }
    std::vector<std::optional<WorkAnswer>> answers;
    if (Result<void> asked = ask(jobs, answers); !asked) return asked;
    // An interrupted round did not happen: another call does it again.
    if (!why_.empty() || is_found()) return {};
    if (Result<void> taken = take(round, answers); !taken) return taken;
    ++state_.rounds;
    begin_again_if_more_is_known();
    look_at_budgets();
    const double done = state_.left.done();
    options_.stop.tell("all executions", static_cast<std::uint64_t>(done * 1000), 1000,
                       state_.sights.statistics.executions);
    return keep();
  }

  /// What each job was answered, in order. The first race counts, also if others have no answer.
  Result<void> ask(const std::vector<std::string>& jobs, std::vector<std::optional<WorkAnswer>>& answers) {
    answers.resize(jobs.size());
    std::vector<std::string> deaths(jobs.size());
    const Result<bool> done = workers_.run(jobs, options_.stop, [&](std::size_t i, Result<std::string> bytes) {
      Result<WorkAnswer> answer = bytes ? work_answer_from(*bytes) : std::unexpected(bytes.error());
      if (answer)
        answers[i] = std::move(*answer);
      else
        deaths[i] = answer.error().message;
    });
    if (!done) return std::unexpected(done.error());
    for (std::size_t i = 0; i < jobs.size() && !is_found(); ++i) {
      if (!answers[i]) {
        why_ = !deaths[i].empty() ? program_ + " " + deaths[i] : "the search ended early: " + options_.stop.why();
        continue;
      }
      more_ = more_ | answers[i]->learnt;
      if (Result<void> read = read_text(answers[i]->text); !read) return read;
    }
    return {};
  }

  /// There is nothing more to look for.
  [[nodiscard]] bool is_found() const { return !out_.races.empty() && !options_.finds_all; }

  Result<void> read_text(const std::string& text) {
    const std::size_t before = out_.races.size();
    if (Result<void> read = add_races(text); !read) return read;
    if (out_.races.size() > before) state_.races.push_back(text);
    return {};
  }

  Result<void> add_races(const std::string& text) {
    Result<DriverAnswer> answer = parse_answer(text);
    if (!answer) return std::unexpected(answer.error());
    if (out_.modules.empty()) out_.modules = answer->modules;
    state_.runs += answer->runs;
    for (AnsweredRace& race : answer->races) {
      const auto is_same = [&](const AnsweredRace& other) { return race.keys.is(other.keys.first, other.keys.second); };
      if (std::ranges::none_of(out_.races, is_same)) out_.races.push_back(std::move(race));
    }
    return {};
  }

  Result<void> take(const std::vector<std::size_t>& round, std::vector<std::optional<WorkAnswer>>& answers) {
    std::vector<SharedOut> done;
    for (std::size_t i = 0; i < round.size(); ++i) {
      state_.sights.add(answers[i]->sights);
      done.push_back({round[i], std::move(answers[i]->report)});
    }
    if (!state_.sights.statistics.diverged) return state_.left.take_back(std::move(done));
    why_ = conclude(state_.sights, false, {}).why;
    return {};
  }

  void learn() {
    state_.learnt = more_;
    if (more_.acts) workers_.keep_one();
  }

  /// A search that did not know from its beginning what the program does has gaps that a second one does not have, and
  /// workers that were in each other's way may have seen anything.
  void begin_again_if_more_is_known() {
    if (state_.is_second || more_ == state_.learnt) return;
    if (state_.sights.gaps.empty() && more_.acts == state_.learnt.acts) return;
    learn();
    state_.left = {};
    state_.sights = {};
    state_.is_second = true;
    state_.rounds = 0;
  }

  void look_at_budgets() {
    const Sights& sights = state_.sights;
    const bool is_used_up = sights.statistics.events >= options_.events ||
                            (!options_.finds_all && !sights.may_prove() && sights.work >= options_.work_with_gaps) ||
                            !sights.within_budget;
    if (is_used_up && !state_.left.is_over()) why_ = conclude(sights, false, {}).why;
  }

  Result<void> keep() {
    using Clock = std::chrono::steady_clock;
    if (state_file_.empty() || state_.left.is_over()) return {};
    if (kept_at_ && Clock::now() - *kept_at_ < std::chrono::seconds(1) && why_.empty()) return {};
    kept_at_ = Clock::now();
    return write_state(state_, state_file_, options_.state_key);
  }

  Result<SearchedAll> finish() {
    out_.runs = state_.runs;
    const bool is_whole = state_.left.is_over() && why_.empty();
    out_.result = conclude(state_.sights, is_whole, {"this-input"});
    if (!why_.empty() && state_.sights.may_prove()) out_.result.why = why_;
    out_.is_whole = is_whole;
    if (!state_file_.empty() && (is_whole || is_found())) std::remove(state_file_.c_str());
    return std::move(out_);
  }

  std::string program_;
  std::string why_addresses_vary_;
  std::string state_file_;  ///< empty: nothing is kept
  Workers workers_;
  const SearchAllOptions& options_;
  SearchState state_;
  Learnt more_;
  std::optional<std::chrono::steady_clock::time_point> kept_at_;
  SearchedAll out_;
  std::string why_;  ///< the search ends here, without a verdict
};

}  // namespace

Result<SearchedAll> search_all(LaunchJob job, const SearchAllOptions& options) {
  return SearchAll(std::move(job), options).run();
}

}  // namespace heddle::explore
