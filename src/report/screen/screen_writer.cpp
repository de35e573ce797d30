// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people: what was looked at, one block per variable, what else there is to say. Few blocks are stacked,
// a line for each access below a heading; many stand side by side with their accesses, two lines each, so that they
// still fit a screen:
//
//   likely stats.hits              write server.c:14  count < worker×n  no lock
//   1f2e 5 of 7 hold stats.lock    read  main.c:44    main              holds it
#include <algorithm>
#include <string>
#include <string_view>

#include "report/report_writer.h"
#include "report/screen/access_columns.h"
#include "report/screen/blocks.h"
#include "report/screen/layout.h"
#include "report/short_names.h"
#include "report/words.h"

namespace heddle::report {
namespace {

constexpr std::size_t lines_of_a_screen = 40, lines_of_the_tail = 4, lines_of_a_stack = 5, fewest_blocks = 4;

class Screen {
 public:
  Screen(std::ostream& out, const RaceReport& report, const TextOptions& options)
      : out_(out), report_(report), options_(options), blocks_(blocks_of(report)), ids_(short_ids(report)) {}

  void write() {
    write_head();
    write_blocks();
    write_tail();
  }

 private:
  void line(std::string_view text, Style style = Style::Plain) {
    for (const std::string& part : wrapped(text, options_.width)) {
      out_ << painted(part, style, options_.has_color) << '\n';
      ++lines_;
    }
  }

  void write_head() {
    const ReportCoverage& coverage = report_.coverage;
    std::string text = "heddle: read " + std::to_string(coverage.parsed) + " of " +
                       counted(coverage.tried, coverage.is_project ? "unit" : "file");
    if (coverage.is_project && !coverage.failed.empty())
      text +=
          " (" + std::to_string(coverage.failed.size()) + " failed, " + std::to_string(coverage.skipped) + " skipped)";
    else if (coverage.skipped > 0)
      text += " (" + std::to_string(coverage.skipped) + " skipped)";
    if (coverage.is_project)
      text += ", " + std::to_string(coverage.linked) + " in " +
              (coverage.program.empty() ? "the program" : "'" + coverage.program + "'");
    if (coverage.was_run) {
      line(text + "; the program was run");
    } else {
      line(text + ": " + counted(coverage.functions, "function") + ", " +
           counted(coverage.instructions, "instruction"));
      write_threads();
    }
    write_not_looked_at();
  }

  void write_threads() {
    constexpr std::size_t most = 12, room_for_more = 15;
    const auto& threads = report_.coverage.thread_list;
    std::string text = counted(report_.coverage.threads, "thread");
    std::size_t named = 0;
    for (; named < std::min(most, threads.size()); ++named) {
      const ReportThread& thread = threads[named];
      std::string longer = text + (named == 0 ? ": " : ", ") + thread_name(thread) + (thread.is_multiple ? "×n" : "");
      if (named > 0 && wrapped(longer, options_.width - room_for_more).size() > 2) break;
      text = std::move(longer);
    }
    if (threads.size() > named) text += " and " + std::to_string(threads.size() - named) + " more";
    line(text);
  }

  /// What a reader must know before he believes the list below, or its absence.
  void write_not_looked_at() {
    const ReportCoverage& coverage = report_.coverage;
    for (const std::string& failed : coverage.failed) {
      const std::string first = failed.substr(0, failed.find('\n'));
      const auto says_it = [&](const ReportBlindSpot& spot) { return spot.what.ends_with(first); };
      if (std::ranges::none_of(coverage.blind_spots, says_it)) line("not read: " + first, Style::Warn);
    }
    if (coverage.functions > coverage.functions_reached)
      line("not looked at: " + counted(coverage.functions - coverage.functions_reached, "function") +
           " that no thread reaches");
    for (const ReportBlindSpot& spot : coverage.blind_spots)
      line((spot.may_hide ? "not looked at: " : "note: ") + short_name(spot.what),
           spot.may_hide ? Style::Warn : Style::Plain);
    for (const ReportObstacle& obstacle : report_.obstacles)
      if (obstacle.where.empty() && !is_in_last_line(obstacle)) line("note: " + short_name(obstacle.what), Style::Warn);
  }

  /// `at least 3000`: that more rank lower is said there.
  [[nodiscard]] bool is_in_last_line(const ReportObstacle& obstacle) const {
    return report_.not_listed > 0 && obstacle.what.starts_with(std::to_string(report_.not_listed) + " more suspected");
  }

  void write_blocks() {
    if (blocks_.empty()) return;
    const std::size_t taken = lines_ + 1 + lines_of_the_tail;
    const std::size_t room = lines_of_a_screen > taken ? lines_of_a_screen - taken : 0;
    std::size_t count = options_.limit == 0 ? blocks_.size() : std::min(options_.limit, blocks_.size());
    // Who did not say how many wants one screen.
    if (options_.limit == TextOptions().limit) count = std::min(count, std::max(fewest_blocks, room / 2));
    out_ << '\n';
    if (count * lines_of_a_stack <= room)
      write_stacked(count);
    else
      write_side_by_side(count);
    if (count < blocks_.size())
      line("and " + counted(blocks_.size() - count, "more variable") + ": " + counted_by_word(blocks_, count) +
           ": --limit 0 shows all, 'heddle explain ID' one");
  }

  [[nodiscard]] static std::string guard_of(const Block& block) {
    return block.best().guard ? block.best().guard->lock : std::string();
  }

  /// `5 of 7 hold stats.lock`; for those that a run showed, how.
  [[nodiscard]] static std::string locks_of(const Block& block) {
    const auto& guard = block.best().guard;
    if (!guard) return {};
    return std::to_string(guard->holding) + " of " + std::to_string(guard->accesses) + " hold " + guard->lock;
  }

  /// The same, no wider than that; the lock's name gives way.
  [[nodiscard]] static std::string locks_of(const Block& block, std::size_t width) {
    const std::string text = locks_of(block);
    const std::size_t name = block.best().guard ? width_of(block.best().guard->lock) : 0;
    const std::size_t words = width_of(text) - name;
    if (width_of(text) <= width || words >= width) return cut(text, width);
    return text.substr(0, text.size() - block.best().guard->lock.size()) +
           cut_middle(block.best().guard->lock, width - words);
  }

  [[nodiscard]] std::string painted_word(const Block& block) const {
    switch (block.verdict()) {
      case RaceVerdict::Confirmed:
      case RaceVerdict::Witnessed: return painted(word(block.verdict()), Style::Alarm, options_.has_color);
      case RaceVerdict::Likely: return painted(word(block.verdict()), Style::Warn, options_.has_color);
      default: return painted(word(block.verdict()), Style::Dim, options_.has_color);
    }
  }

  [[nodiscard]] std::string id_of(const Block& block) const {
    const std::string& id = ids_.at(block.best().id);
    return block.best().baseline.empty() ? id : id + " " + block.best().baseline;
  }

  /// `confirmed stats.hits`, no wider than that, and its true width.
  [[nodiscard]] std::pair<std::string, std::size_t> heading(const Block& block, std::size_t width) const {
    const std::size_t words = width_of(word(block.verdict())) + 1;
    const std::string name = cut_middle(block.title(), width > words ? width - words : 0);
    return {painted_word(block) + " " + painted(name, Style::Bold, options_.has_color), words + width_of(name)};
  }

  void write_stacked(std::size_t count) {
    constexpr std::size_t indent = 4, most = 3;
    AccessColumns columns(options_.folder, options_.width - indent);
    for (std::size_t i = 0; i < count; ++i)
      for (const ReportAccess* access : main_accesses(blocks_[i], most))
        columns.announce(*access, guard_of(blocks_[i]));
    for (std::size_t i = 0; i < count; ++i) {
      const Block& block = blocks_[i];
      const std::string id = " [" + id_of(block) + "]";
      auto [text, width] = heading(block, options_.width - width_of(id));
      const std::size_t left = options_.width - width - width_of(id);
      std::string more = locks_of(block).empty() ? "" : cut(": " + locks_of(block), left);
      out_ << text << more << painted(id, Style::Dim, options_.has_color) << '\n';
      for (const std::string& access : lines_of(block, columns, most))
        out_ << std::string(indent, ' ') << access << '\n';
      write_reason(block, indent);
    }
  }

  /// How a run showed it, or why it is doubted.
  void write_reason(const Block& block, std::size_t indent) {
    const ReportRace& race = block.best();
    if (race.verdict == RaceVerdict::Likely) return;
    const auto reason =
        std::ranges::find_if(race.reasons, [](const std::string& text) { return !text.contains(" accesses hold "); });
    if (reason == race.reasons.end()) return;
    for (const std::string& part : wrapped(*reason, options_.width - indent))
      out_ << std::string(indent, ' ') << painted(part, Style::Dim, options_.has_color) << '\n';
  }

  [[nodiscard]] static std::vector<std::string> lines_of(const Block& block, const AccessColumns& columns,
                                                         std::size_t most) {
    std::vector<std::string> out;
    for (const ReportAccess* access : main_accesses(block, most)) {
      std::string text = columns.line(*access, guard_of(block));
      if (!out.empty() && text == out.front()) text = "the same, in another thread";
      out.push_back(std::move(text));
    }
    return out;
  }

  void write_side_by_side(std::size_t count) {
    const std::size_t left = std::max<std::size_t>(20, options_.width * 29 / 100);
    AccessColumns columns(options_.folder, options_.width - left - 1);
    for (std::size_t i = 0; i < count; ++i)
      for (const ReportAccess* access : main_accesses(blocks_[i], 2)) columns.announce(*access, guard_of(blocks_[i]));
    for (std::size_t i = 0; i < count; ++i) {
      const Block& block = blocks_[i];
      const std::vector<std::string> accesses = lines_of(block, columns, 2);
      const auto [text, width] = heading(block, left);
      out_ << text << std::string(left + 1 - width, ' ') << accesses.front() << '\n';
      const std::string id = cut(id_of(block), left - 1) + " ";
      const std::string below = id + locks_of(block, left - width_of(id));
      out_ << painted(below, Style::Dim, options_.has_color);
      if (accesses.size() > 1) out_ << std::string(left + 1 - width_of(below), ' ') << accesses[1];
      out_ << '\n';
    }
  }

  void write_tail() {
    for (const ReportFinding& finding : report_.also_seen) {
      const std::string at = finding.stack.empty() ? "" : place_text(finding.stack.front()) + ": ";
      line(at + "also seen: " + finding.kind + ": " + finding.what +
           (finding.schedule.empty() ? "" : " (heddle replay " + finding.schedule + ")"));
    }
    write_obstacles();
    if (const std::string words = report::exhausted_words(report_); !words.empty()) line(words);
    write_assumptions();
  }

  /// What is met at several places is said once.
  void write_obstacles() {
    std::vector<std::pair<std::string, std::size_t>> reasons;  ///< with the first place, and how many more there are
    std::map<std::string, std::size_t> known;
    for (const ReportObstacle& obstacle : report_.obstacles) {
      if (obstacle.where.empty()) continue;
      const auto [at, is_new] = known.try_emplace(obstacle.what, reasons.size());
      if (is_new)
        reasons.emplace_back(obstacle.where + ": " + short_name(obstacle.what), 0);
      else
        ++reasons[at->second].second;
    }
    if (reasons.empty()) return;
    const std::size_t most = report_.verdict == Verdict::Race ? 3 : 10;
    line("not decided, because:");
    for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
      const auto& [reason, more] = reasons[i];
      const std::string text = more == 0 ? reason : reason + " (and at " + counted(more, "more place") + ")";
      for (const std::string& part : wrapped(text, options_.width - 2)) out_ << "  " << part << '\n';
    }
    if (reasons.size() > most) line("  and " + std::to_string(reasons.size() - most) + " more; --details lists them");
  }

  /// A proof names everything it rests on; a list of suspicions only says how much there is.
  void write_assumptions() {
    if (report_.assumptions.empty()) return;
    std::string text = "this result assumes (docs/assumptions.md): ";
    const bool is_proof = report_.verdict == Verdict::RaceFree;
    std::size_t named = 0;
    for (const std::string& assumption : report_.assumptions) {
      constexpr std::size_t rest = 30;
      if (!is_proof && width_of(text) + width_of(assumption) + rest > options_.width) break;
      text += (named++ == 0 ? "" : ", ") + assumption;
    }
    const std::size_t more = report_.assumptions.size() - named;
    if (more > 0) text += (named == 0 ? "" : " and ") + std::to_string(more) + " more (--details)";
    line(text);
  }

  [[nodiscard]] static std::string place_text(const ReportFrame& frame) {
    return (frame.file.empty() ? "<unknown>" : frame.file) + (frame.line == 0 ? "" : ":" + std::to_string(frame.line));
  }

  std::ostream& out_;
  const RaceReport& report_;
  const TextOptions& options_;
  std::vector<Block> blocks_;
  std::map<std::string, std::string> ids_;
  std::size_t lines_ = 0;  ///< so far
};

}  // namespace

void write_text(std::ostream& out, const RaceReport& report, const TextOptions& options) {
  Screen(out, report, options).write();
}

}  // namespace heddle::report
