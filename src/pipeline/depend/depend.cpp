// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/depend.h"

#include <algorithm>

#include "alias/alias_facts.h"
#include "depend/risk/triples.h"
#include "depend/system/entry_listing.h"
#include "depend/system/system.h"
#include "pipeline/depend/kept_triples.h"
#include "pipeline/depend/prepare_depend.h"
#include "pipeline/depend/triples_report.h"
#include "pipeline/depend/triples_screen.h"

namespace heddle::pipeline {
namespace {

bool is_settled(const Program& program, const DependOptions& options, const depend::Triples& triples) {
  constexpr std::size_t many_triples = 200, many_instructions = 100'000;
  if (options.settles != Settling::WhereQuick) return options.settles == Settling::Yes;
  std::size_t instructions = 0;
  for (const Function& function : program.functions) instructions += function.instructions.size();
  return options.knows_synchronisation && triples.all.size() <= many_triples && instructions <= many_instructions;
}

/// Some entry can interrupt another.
bool is_interrupted(const depend::System& system) {
  const std::size_t entries = system.entries().size();
  for (std::size_t a = 0; a < entries; ++a)
    for (std::size_t b = 0; b < entries; ++b)
      if (system.can_interrupt(a, b)) return true;
  return false;
}

bool is_refuted(const std::vector<depend::Verdict>& verdicts, std::size_t triple) {
  return triple < verdicts.size() && verdicts[triple].kind == depend::Verdict::Kind::Refuted;
}

}  // namespace

Result<Depended> depend_triples(const Input& input, const DependOptions& options, const Tell& tell) {
  const Result<PreparedDepend> prepared = prepare_depend(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  const Program& program = prepared->loaded.program;
  // entries, priorities, masks
  const Result<depend::System> system = system_of(*prepared);
  if (!system) return std::unexpected(system.error());
  // two accesses and one between them
  const alias::AliasFacts aliases = alias::find_aliases(program, prepared->models, {});
  const depend::TripleOptions asked{.knows_synchronisation = options.knows_synchronisation};
  depend::AccessFacts facts(program, *system, aliases);
  const depend::Triples triples = depend::find_triples(facts, asked);
  // which of them happen
  std::vector<depend::Verdict> verdicts;
  if (is_settled(program, options, triples)) verdicts = depend::settle(facts, triples.all, options.limits);
  for (depend::Verdict& verdict : verdicts)
    if (verdict.kind == depend::Verdict::Kind::Refuted && !prepared->loaded.gaps.empty())
      verdict = {.why = prepared->loaded.gaps.front()};
  if (!options.kept.empty())
    if (auto kept = keep_triples(input, options, program, *system, triples, verdicts); !kept)
      return std::unexpected(kept.error());
  Depended out;
  out.looked = is_interrupted(*system);
  for (std::size_t i = 0; i < triples.all.size(); ++i) {
    if (is_refuted(verdicts, i)) continue;
    ++out.triples;
    if (options.only_triples) out.text += depend::to_text(program, triples.all[i]) + "\n";
  }
  const TriplesShown shown{program, *system, triples, verdicts};
  if (options.as_json)
    out.text = triples_json(shown);
  else if (!options.only_triples)
    out.text = triples_screen(shown, options.lists_all, options.width);
  out.report = triples_report(shown);
  return out;
}

Result<std::string> depend_entries(const Input& input, const DependOptions& options, const Tell& tell) {
  const Result<PreparedDepend> prepared = prepare_depend(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  // entries, priorities, masks
  const Program& program = prepared->loaded.program;
  const Result<depend::System> system = system_of(*prepared);
  if (!system) return std::unexpected(system.error());
  return options.as_json ? depend::entries_json(program, *system) : depend::entries_text(program, *system);
}

}  // namespace heddle::pipeline
