// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/triples_report.h"

#include "depend/risk/triple_words.h"
#include "depend/system/entry_listing.h"
#include "host/json_reader.h"

namespace heddle::pipeline {
namespace {

using depend::Triple;
using host::json_string;

ReportAccess report_access(const Program& program, const depend::System& system, const depend::Access& access,
                           bool writes, std::size_t entry) {
  const Function& function = program.functions[access.function];
  ReportAccess out;
  if (const LocationId at = function.instructions[access.instruction].location) {
    out.file = program.files[program.locations[at].file].path;
    out.line = program.locations[at].line;
    out.column = program.locations[at].column;
  }
  out.kind = writes ? "write" : "read";
  out.path = program.globals[access.variable].shown_name();
  out.function = function.shown_name();
  out.thread = system.name(entry);
  return out;
}

/// A triple in words and places.
ReportRace report_race(const Program& program, const depend::System& system, const Triple& triple) {
  ReportRace race;
  race.accesses = {report_access(program, system, triple.first, triple.first_writes, triple.entry),
                   report_access(program, system, triple.between, triple.between_writes, triple.interrupter),
                   report_access(program, system, triple.second, triple.second_writes, triple.entry)};
  race.variable = race.accesses.front().path;
  std::vector<std::string> parts;
  for (const ReportAccess& one : race.accesses)
    parts.push_back(one.kind + " " + one.path + " " + one.function + " " + one.thread);
  race.id = depend::triple_id(parts);
  return race;
}

std::string strings_json(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& one : all) out += (out.empty() ? "" : ", ") + json_string(one);
  return "[" + out + "]";
}

std::string access_json(const ReportAccess& access) {
  return "{\"kind\": \"" + access.kind + "\", \"variable\": " + json_string(access.path) +
         ", \"file\": " + json_string(access.file) + ", \"line\": " + std::to_string(access.line) +
         ", \"column\": " + std::to_string(access.column) + ", \"function\": " + json_string(access.function) + "}";
}

std::string_view word_of(depend::Verdict::Kind kind) {
  using enum depend::Verdict::Kind;
  switch (kind) {
    case Confirmed: return "confirmed";
    case Refuted: return "refuted";
    case NotDecided: return "not decided";
  }
  return "";
}

std::string triple_json(const TriplesShown& shown, std::size_t index) {
  const auto& [program, system, triples, verdicts] = shown;
  const Triple& triple = triples.all[index];
  const ReportRace race = report_race(program, system, triple);
  const depend::TripleWords words = depend::words_of(program, system, triple);
  std::string out =
      "{\"id\": \"" + race.id + "\", \"triple\": " + json_string(depend::to_text(program, triple)) +
      ", \"title\": " + json_string(words.title) + ",\n   \"entry\": " + json_string(system.name(triple.entry)) +
      ", \"interrupter\": " + json_string(system.name(triple.interrupter)) +
      ", \"in_steps\": " + (triple.is_in_steps ? "true" : "false") +
      ",\n   \"first\": " + access_json(race.accesses[0]) + ",\n   \"between\": " + access_json(race.accesses[1]) +
      ",\n   \"second\": " + access_json(race.accesses[2]) + ",\n   \"interval\": " + json_string(words.interval) +
      ", \"fix\": " + json_string(words.fix);
  if (const depend::Verdict* verdict = shown.verdict(index)) {
    out += ",\n   \"verdict\": \"" + std::string(word_of(verdict->kind)) + "\"";
    if (!verdict->why.empty()) out += ", \"why\": " + json_string(verdict->why);
    if (!verdict->story.empty()) out += ", \"schedule\": " + strings_json(verdict->story);
  }
  return out + "}";
}

}  // namespace

std::string triples_json(const TriplesShown& shown) {
  std::string out = "{\"version\": 1,\n \"assumptions\": " + strings_json(shown.system.assumptions()) +
                    ",\n \"variables_cut\": " + std::to_string(shown.triples.cut) + ",\n \"triples\": [";
  for (std::size_t i = 0; i < shown.triples.all.size(); ++i) out += (i == 0 ? "\n  " : ",\n  ") + triple_json(shown, i);
  return out + "]}\n";
}

RaceReport triples_report(const TriplesShown& shown) {
  const auto& [program, system, triples, verdicts] = shown;
  RaceReport report;
  for (std::size_t i = 0; i < triples.all.size(); ++i) {
    const Triple& triple = triples.all[i];
    ReportRace race = report_race(program, system, triple);
    const depend::TripleWords words = depend::words_of(program, system, triple);
    race.reasons = {words.title,
                    depend::entry_words(system, triple.entry) + ", interrupted by " +
                        depend::entry_words(system, triple.interrupter),
                    "interval: " + words.interval, "fix: " + words.fix};
    if (const depend::Verdict* verdict = shown.verdict(i)) {
      race.reasons.push_back(depend::to_text(*verdict));
      if (verdict->kind == depend::Verdict::Kind::Confirmed) race.verdict = RaceVerdict::Confirmed;
      if (verdict->kind == depend::Verdict::Kind::Refuted) race.verdict = RaceVerdict::Refuted;
    }
    report.races.push_back(std::move(race));
  }
  report.assumptions = system.assumptions();
  return report;
}

}  // namespace heddle::pipeline
