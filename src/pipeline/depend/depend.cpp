// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/depend.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "alias/alias_facts.h"
#include "api/entry_words.h"
#include "base/read_file.h"
#include "depend/risk/triples.h"
#include "depend/system/entry_listing.h"
#include "depend/system/oil_reader.h"
#include "depend/system/system.h"

namespace heddle::pipeline {
namespace {

/// The file of the command line, or that of heddle.toml, which lies relative to it.
Result<std::optional<depend::OilSystem>> load_oil(const DependOptions& options, const api::SystemRules& rules) {
  std::filesystem::path path = options.oil;
  std::string asked = "--oil";
  if (path.empty() && !rules.oil.empty()) {
    asked = rules.oil_place;
    const std::string file = asked.substr(0, asked.rfind(':', asked.rfind(':') - 1));
    path = std::filesystem::path(file).parent_path() / rules.oil;
  }
  if (path.empty()) return std::nullopt;
  const auto read = [](const std::string& name) { return read_given_file(name); };
  const auto text = read(path.string());
  if (!text) return error(asked + ": '" + path.string() + "' " + text.error().message);
  auto oil = depend::read_oil(*text, path.string(), read);
  if (!oil) return std::unexpected(oil.error());
  return std::move(*oil);
}

/// What both commands begin with.
struct Prepared {
  Loaded loaded;
  api::ApiModels models;
  std::optional<depend::OilSystem> oil;
};

Result<Prepared> prepare(const Input& input, const DependOptions& options, const Tell& tell) {
  // sources or captured units -> Program
  Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  // what library calls do, and what the project says of its system
  Input with_firmware = input;
  with_firmware.profiles.insert(with_firmware.profiles.begin(), "firmware");
  Result<api::ApiModels> models = load_models(with_firmware, loaded->program);
  if (!models) return std::unexpected(models.error());
  auto oil = load_oil(options, models->system());
  if (!oil) return std::unexpected(oil.error());
  return Prepared{std::move(*loaded), std::move(*models), std::move(*oil)};
}

/// `'task' (task, priority 1), interrupted by 'isr' (interrupt 3, priority 2)`
std::string entry_words(const depend::System& system, std::size_t entry) {
  const depend::SystemEntry& one = system.entries()[entry];
  std::string words = "'" + system.name(entry) + "' (" + std::string(api::to_text(one.kind));
  if (one.number) words += " " + std::to_string(*one.number);
  if (one.priority) words += ", priority " + std::to_string(*one.priority);
  return words + ")";
}

bool is_refuted(const std::vector<depend::Verdict>& verdicts, std::size_t triple) {
  return triple < verdicts.size() && verdicts[triple].kind == depend::Verdict::Kind::Refuted;
}

/// `    confirmed`, with what happened behind it; nothing if nobody asked.
std::string verdict_text(const std::vector<depend::Verdict>& verdicts, std::size_t triple) {
  if (triple >= verdicts.size()) return "";
  std::string out = "    " + depend::to_text(verdicts[triple]) + "\n";
  for (const std::string& line : verdicts[triple].schedule) out += "      " + line + "\n";
  return out;
}

/// `: 2 confirmed, 1 refuted, 0 not decided`
std::string count_text(const std::vector<depend::Verdict>& verdicts) {
  if (verdicts.empty()) return "";
  using Kind = depend::Verdict::Kind;
  const auto count = [&](Kind kind) {
    return std::to_string(std::ranges::count(verdicts, kind, &depend::Verdict::kind));
  };
  return ": " + count(Kind::Confirmed) + " confirmed, " + count(Kind::Refuted) + " refuted, " +
         count(Kind::NotDecided) + " not decided";
}

std::string triples_text(const Program& program, const depend::System& system, const depend::Triples& triples,
                         const std::vector<depend::Verdict>& verdicts) {
  std::string out;
  for (const std::string& what : system.assumptions()) out += "assumed: " + what + "\n";
  if (!triples.all.empty() && !out.empty()) out += "\n";
  for (std::size_t i = 0; i < triples.all.size(); ++i) {
    const depend::Triple& triple = triples.all[i];
    out += depend::to_text(program, triple) + "\n    " + entry_words(system, triple.entry) + ", interrupted by " +
           entry_words(system, triple.interrupter) + "\n" + verdict_text(verdicts, i);
  }
  if (triples.cut > 0)
    out += "of " + std::to_string(triples.cut) + " variables not all triples are listed: there are very many\n";
  return out + (triples.cut > 0 ? "at least " : "") + std::to_string(triples.all.size()) +
         (triples.all.size() == 1 ? " triple" : " triples") + " of accesses may be interrupted" + count_text(verdicts) +
         "\n";
}

}  // namespace

Result<Depended> depend_triples(const Input& input, const DependOptions& options, const Tell& tell) {
  const Result<Prepared> prepared = prepare(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  const Program& program = prepared->loaded.program;
  // entries, priorities, masks
  const auto system = depend::System::make(program, prepared->models, prepared->oil ? &*prepared->oil : nullptr);
  if (!system) return std::unexpected(system.error());
  // two accesses and one between them
  const alias::AliasFacts aliases = alias::find_aliases(program, prepared->models, {});
  const depend::Triples triples = depend::find_triples(program, *system, aliases);
  // which of them happen
  std::vector<depend::Verdict> verdicts;
  if (options.settles)
    verdicts = depend::settle(program, prepared->models, *system, aliases, triples.all, options.limits);
  for (depend::Verdict& verdict : verdicts)
    if (verdict.kind == depend::Verdict::Kind::Refuted && !prepared->loaded.gaps.empty())
      verdict = {.why = prepared->loaded.gaps.front()};
  Depended out;
  for (std::size_t i = 0; i < triples.all.size(); ++i) {
    if (is_refuted(verdicts, i)) continue;
    ++out.triples;
    if (options.only_triples) out.text += depend::to_text(program, triples.all[i]) + "\n";
  }
  if (!options.only_triples) out.text = triples_text(program, *system, triples, verdicts);
  return out;
}

Result<std::string> depend_entries(const Input& input, const DependOptions& options, const Tell& tell) {
  const Result<Prepared> prepared = prepare(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  // entries, priorities, masks
  const Program& program = prepared->loaded.program;
  const auto system = depend::System::make(program, prepared->models, prepared->oil ? &*prepared->oil : nullptr);
  if (!system) return std::unexpected(system.error());
  return options.as_json ? depend::entries_json(program, *system) : depend::entries_text(program, *system);
}

}  // namespace heddle::pipeline
