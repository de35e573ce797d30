// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/replay.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "depend/judge/story.h"
#include "depend/risk/lock_steps.h"

namespace heddle::depend {
namespace {

/// Why the turn cannot be taken where the stage stands; empty: it can.
std::string why_not(const Setting& setting, const Stage& stage, const Turn& turn) {
  using Kind = Choice::Kind;
  const Choice& choice = turn.choice;
  if (stage.is_over()) return "the triple has happened already, or its run is over";
  const bool is_asked = choice.kind == Kind::Take || choice.kind == Kind::Pass;
  if (is_asked != stage.watch.asks())
    return is_asked ? "the access is not the first one of the triple" : "the first access of the triple comes before";
  if (!is_asked && stage.stand.kind == Board::Stand::Kind::Over) return "the run is over";
  if (turn.line != stage.line())
    return "it is of line " + std::to_string(turn.line) +
           (stage.line() == 0 ? ", and nobody runs" : ", and the run stands in line " + std::to_string(stage.line()));
  const bool is_raised = std::ranges::find(stage.stand.raises, choice.value) != stage.stand.raises.end();
  if (choice.kind == Kind::Raise && !is_raised) return "'" + setting.system.name(choice.value) + "' cannot come there";
  if (choice.kind == Kind::Pause && !stage.stand.may_pause) return "the task does not wait there";
  if (choice.kind != Kind::GoOn) return "";
  if (!stage.may_go_on()) return "nobody runs";
  if (choice.has_input != (stage.stand.input != nullptr))
    return choice.has_input ? "nothing is asked for there" : "something is asked for there";
  return "";
}

struct Parsed {
  std::string name;
  std::array<std::uint32_t, 3> lines{};
  std::array<bool, 3> writes{};
};

/// The last `<R#5>` of the text, which is cut off, with the comma before it.
bool take_place(std::string_view& text, std::uint32_t& line, bool& writes) {
  const std::size_t at = text.rfind('<');
  if (at == std::string_view::npos || at == 0 || text.back() != '>') return false;
  const std::string_view place = text.substr(at + 1, text.size() - at - 2);
  if (!place.starts_with("R#") && !place.starts_with("W#")) return false;
  writes = place.front() == 'W';
  const auto [end, failure] = std::from_chars(place.data() + 2, place.data() + place.size(), line);
  if (failure != std::errc() || end != place.data() + place.size()) return false;
  text = text.substr(0, at);
  if (text.ends_with(',')) text.remove_suffix(1);
  return true;
}

std::optional<Parsed> parsed(std::string_view text) {
  Parsed out;
  for (std::size_t i = 3; i-- > 0;)
    if (!take_place(text, out.lines[i], out.writes[i])) return std::nullopt;
  out.name = text;
  return out;
}

/// Accesses of variables of this name, by the places of a triple.
class Places {
 public:
  Places(const Setting& setting, const Parsed& wanted) : setting_(setting), wanted_(wanted) {}

  /// The one at `which` (0, 1, 2); without a name of any variable.
  [[nodiscard]] std::vector<Access> at(std::size_t which, const std::string& name) const {
    std::vector<Access> found;
    for (const auto& [variable, all] : setting_.accesses.all()) {
      if (!name.empty() && setting_.program.globals[variable].shown_name() != name) continue;
      for (const Access& access : all) {
        const bool is_kind = wanted_.writes[which] ? access.writes : access.reads;
        if (is_kind && line_of(setting_.program, access) == wanted_.lines[which]) found.push_back(access);
      }
    }
    return found;
  }

  [[nodiscard]] std::optional<Triple> of(const std::string& first, const std::string& second) const {
    const bool is_pair = first != second;
    const std::vector<Access> firsts = at(0, first), between = at(1, is_pair ? "" : first), seconds = at(2, second);
    for (const Access& a : firsts)
      for (const Access& b : between)
        for (const Access& c : seconds) {
          if (!is_pair && (a.variable != b.variable || a.variable != c.variable)) continue;
          return Triple{.first = a,
                        .between = b,
                        .second = c,
                        .first_writes = wanted_.writes[0],
                        .between_writes = wanted_.writes[1],
                        .second_writes = wanted_.writes[2]};
        }
    return std::nullopt;
  }

 private:
  const Setting& setting_;
  const Parsed& wanted_;
};

}  // namespace

Result<Triple> triple_of(const Setting& setting, const std::string& text, bool is_in_steps) {
  const auto wanted = parsed(text);
  if (!wanted) return error("'" + text + "' is no triple; one is written as x<R#5>,<W#13>,<R#6>");
  const Places places(setting, *wanted);
  auto found = places.of(wanted->name, wanted->name);
  for (std::size_t at = wanted->name.find('/'); !found && at != std::string::npos; at = wanted->name.find('/', at + 1))
    found = places.of(wanted->name.substr(0, at), wanted->name.substr(at + 1));
  if (!found) return error("the program has no accesses of '" + wanted->name + "' in the lines of " + text);
  found->is_in_steps = is_in_steps;
  return *found;
}

Result<Retold> retell(Setting& setting, const Triple& triple, const std::vector<Turn>& turns) {
  setting.focus_on(triple);
  Gaps gaps;
  Stage stage(setting, triple, gaps);
  Story story(setting);
  const Told told = [&](const Board& board, const Watch& watch, const Choice* choice) {
    story.add(board, watch, choice);
  };
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    stage.advance(steps, ~std::uint64_t{0}, told);
    if (const std::string why = why_not(setting, stage, turns[i]); !why.empty())
      return error("turn " + std::to_string(i + 1) + " of " + std::to_string(turns.size()) +
                   " does not fit the program: " + why);
    stage.carry_out(turns[i].choice, steps, told);
  }
  stage.advance(steps, ~std::uint64_t{0}, told);
  if (stage.watch.progress() != Watch::Progress::Happened)
    return error("all " + std::to_string(turns.size()) + " turns were taken, and the triple did not happen");
  Retold out{stage.watch.state(), story.take()};
  for (const std::string& what : gaps.assumed) out.story.push_back("assumed: " + what);
  for (const std::string& gap : gaps.unfollowed) out.story.push_back("taken for harmless: " + gap);
  return out;
}

namespace {

/// A lock that the board does not run.
bool is_other_lock(const Setting& setting, LockSteps& steps, FunctionId id, std::size_t call) {
  const Function& function = setting.program.functions[id];
  const Operand callee = function.operands_of(function.instructions[call])[0];
  if (!callee.is_function() || setting.relevance().locks().of(callee.as_function()) != nullptr) return false;
  if (steps.is_step(id, call)) return true;
  const Function& called = setting.program.functions[callee.as_function()];
  const api::Model* model = called.has_body() ? nullptr : setting.models.find(called.name);
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           return api::get<api::TakeLock>(effect) || api::get<api::GiveLock>(effect) ||
                  api::get<api::UseCondition>(effect);
         });
}

}  // namespace

std::string why_not_run(Setting& setting) {
  const Program& program = setting.program;
  LockSteps locks(program, setting.models, setting.facts.places, setting.facts.numbers);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const FunctionId id(f);
    const bool is_reached = std::ranges::any_of(setting.facts.reached, [&](const auto& by) { return by[f]; });
    const auto code = program.functions[id].instructions;
    for (std::size_t i = 0; is_reached && i < code.size(); ++i) {
      if (!code[i].is_call() && setting.system.mask_step(program.functions[id], code[i]))
        return "masks of a status register are not run";
      if (code[i].is_call() && is_other_lock(setting, locks, id, i)) return "not all of its locks can be run";
    }
  }
  for (const SystemEntry& entry : setting.system.entries())
    if (setting.system.enters_masked(entry.function))
      return "'" + std::string(program.functions[entry.function].shown_name()) +
             "' begins with all interrupts masked, which is not run";
  return {};
}

}  // namespace heddle::depend
