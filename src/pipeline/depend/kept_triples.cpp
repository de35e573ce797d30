// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/kept_triples.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/check.h"
#include "base/write_file.h"
#include "depend/judge/replay.h"
#include "pipeline/depend/prepare_depend.h"
#include "pipeline/replay_native.h"

namespace heddle::pipeline {
namespace {

using race::Schedule;

constexpr std::array<std::pair<depend::Choice::Kind, Schedule::Turn::Kind>, 5> kinds = {
    {{depend::Choice::Kind::GoOn, Schedule::Turn::Kind::GoOn},
     {depend::Choice::Kind::Raise, Schedule::Turn::Kind::Raise},
     {depend::Choice::Kind::Pause, Schedule::Turn::Kind::Pause},
     {depend::Choice::Kind::Take, Schedule::Turn::Kind::Take},
     {depend::Choice::Kind::Pass, Schedule::Turn::Kind::Pass}}};

/// `task`; `task#2`: the second entry of that name.
std::string name_of(const depend::System& system, std::size_t entry) {
  std::size_t number = 1;
  for (std::size_t e = 0; e < entry; ++e) number += system.name(e) == system.name(entry) ? 1 : 0;
  return system.name(entry) + (number > 1 ? "#" + std::to_string(number) : "");
}

Schedule::Turn to_kept(const depend::System& system, const depend::Turn& turn) {
  const depend::Choice& choice = turn.choice;
  const auto kind = std::ranges::find(kinds, choice.kind, [](const auto& pair) { return pair.first; });
  Schedule::Turn out{.kind = kind->second, .line = turn.line};
  if (choice.kind == depend::Choice::Kind::Raise) out.entry = name_of(system, choice.value);
  if (choice.has_input) out.value = choice.value;
  return out;
}

Result<depend::Turn> from_kept(const depend::System& system, const Schedule::Turn& turn) {
  const auto kind = std::ranges::find(kinds, turn.kind, [](const auto& pair) { return pair.second; });
  depend::Turn out{.choice = {.kind = kind->first}, .line = turn.line};
  out.choice.has_input = turn.value.has_value();
  out.choice.value = turn.value.value_or(0);
  if (turn.kind != Schedule::Turn::Kind::Raise) return out;
  const std::size_t count = system.entries().size();
  out.choice.value = 0;
  while (out.choice.value < count && name_of(system, out.choice.value) != turn.entry) ++out.choice.value;
  if (out.choice.value == count) return error("the program has no entry '" + turn.entry + "'");
  return out;
}

/// `x<R#5>,<W#13>,<R#6>` as a name: `x-R5-W13-R6`.
std::string file_name(const std::string& triple) {
  std::string out;
  for (const char c : triple) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (is_plain)
      out += c;
    else if (c == '<')
      out += '-';
    else if (c != '#' && c != '>' && c != ',')
      out += '.';
  }
  constexpr std::size_t longest = 120;  // names of C++ may be longer than those of files
  return out.size() > longest ? out.substr(out.size() - longest) : out;
}

Schedule header_of(const Input& input, const DependOptions& options) {
  Schedule schedule;
  for (const frontend::Source& source : input.sources) schedule.sources.push_back(source.path);
  if (!input.sources.empty()) schedule.flags = input.sources.front().flags;
  if (input.frontend.data_model)
    schedule.data_model = *input.frontend.data_model == frontend::DataModel::Ilp32 ? "ILP32" : "LP64";
  if (input.sources.empty()) {
    schedule.project = input.project;
    schedule.target = input.program;
  }
  schedule.models = input.model_files;
  schedule.profiles = input.profiles;
  schedule.oil = options.oil;
  schedule.ending = Schedule::Ending::Triple;
  return schedule;
}

}  // namespace

Result<void> keep_triples(const Input& input, const DependOptions& options, const Program& program,
                          const depend::System& system, const depend::Triples& triples,
                          std::vector<depend::Verdict>& verdicts) {
  std::error_code failure;
  std::filesystem::create_directories(options.kept, failure);
  if (failure) return error("--keep '" + options.kept + "': " + failure.message());
  std::set<std::string> names;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].kind != depend::Verdict::Kind::Confirmed) continue;
    Schedule schedule = header_of(input, options);
    schedule.triple = depend::to_text(program, triples.all[i]);
    schedule.is_in_steps = triples.all[i].is_in_steps;
    for (const depend::Turn& turn : verdicts[i].turns) schedule.turns.push_back(to_kept(system, turn));
    const std::string plain = file_name(schedule.triple);
    std::string name = plain;
    for (std::size_t number = 2; !names.insert(name).second; ++number) name = plain + "-" + std::to_string(number);
    const std::string file = (std::filesystem::path(options.kept) / (name + ".schedule")).string();
    if (auto written = write_file(file, race::to_text(schedule)); !written) return written;
    verdicts[i].story.push_back("again: heddle replay " + file);
  }
  return {};
}

Result<std::string> replay_triple(const Schedule& schedule, const std::string& file, std::uint64_t times,
                                  const Tell& tell) {
  const auto prepared = prepare_depend(input_of(schedule), {.oil = schedule.oil}, tell);
  if (!prepared) return std::unexpected(prepared.error());
  const Program& program = prepared->loaded.program;
  const Result<depend::System> system = system_of(*prepared);
  if (!system) return std::unexpected(system.error());
  const auto wrong = [&](const std::string& what) { return error(file + ": " + what); };
  if (system->cores() > 1) return wrong("the system has several cores now, and the schedule is of one");
  std::vector<depend::Turn> turns;
  for (const Schedule::Turn& kept : schedule.turns) {
    const Result<depend::Turn> turn = from_kept(*system, kept);
    if (!turn) return wrong("turn " + std::to_string(turns.size() + 1) + ": " + turn.error().message);
    turns.push_back(*turn);
  }
  const alias::AliasFacts aliases = alias::find_aliases(program, prepared->models, {});
  depend::AccessFacts facts(program, *system, aliases);
  depend::Setting setting(facts);
  const auto triple = depend::triple_of(setting, schedule.triple, schedule.is_in_steps);
  if (!triple) return wrong(triple.error().message);
  if (const std::string why = depend::why_not_run(setting); !why.empty()) return wrong(why);
  std::string shown;
  for (std::uint64_t i = 0; i < times; ++i) {
    const Result<depend::Retold> told = depend::retell(setting, *triple, turns);
    if (!told) return wrong(told.error().message + "; have the sources or heddle.toml changed since?");
    std::string text = schedule.triple + "\n";
    for (const std::string& line : told->story) text += "  " + line + "\n";
    HEDDLE_CHECK(i == 0 || text == shown, "two replays of one schedule differ");
    shown = std::move(text);
  }
  return shown;
}

}  // namespace heddle::pipeline
