// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/depend.h"

#include "alias/alias_facts.h"
#include "depend/risk/triples.h"
#include "depend/system/entry_listing.h"
#include "depend/system/system.h"
#include "pipeline/depend/prepare_depend.h"

namespace heddle::pipeline {
namespace {

std::string triples_text(const Program& program, const depend::System& system, const depend::Triples& triples) {
  std::string out;
  for (const std::string& what : system.assumptions()) out += "assumed: " + what + "\n";
  if (!triples.all.empty() && !out.empty()) out += "\n";
  for (const depend::Triple& triple : triples.all)
    out += depend::to_text(program, triple) + "\n    " + depend::entry_words(system, triple.entry) +
           ", interrupted by " + depend::entry_words(system, triple.interrupter) + "\n";
  if (triples.cut > 0)
    out += "of " + std::to_string(triples.cut) + " variables not all triples are listed: there are very many\n";
  return out + (triples.cut > 0 ? "at least " : "") + std::to_string(triples.all.size()) +
         (triples.all.size() == 1 ? " triple" : " triples") + " of accesses may be interrupted\n";
}

}  // namespace

Result<Depended> depend_triples(const Input& input, const DependOptions& options, const Tell& tell) {
  const Result<PreparedDepend> prepared = prepare_depend(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  const Program& program = prepared->loaded.program;
  // entries, priorities, masks
  const auto system = depend::System::make(program, prepared->models, prepared->oil ? &*prepared->oil : nullptr);
  if (!system) return std::unexpected(system.error());
  // two accesses and one between them
  const alias::AliasFacts aliases = alias::find_aliases(program, prepared->models, {});
  const depend::TripleOptions asked{.knows_synchronisation = options.knows_synchronisation};
  const depend::Triples triples = depend::find_triples(program, *system, aliases, asked);
  Depended out{.text = {}, .triples = triples.all.size()};
  if (!options.only_triples) {
    out.text = triples_text(program, *system, triples);
    return out;
  }
  for (const depend::Triple& triple : triples.all) out.text += depend::to_text(program, triple) + "\n";
  return out;
}

Result<std::string> depend_entries(const Input& input, const DependOptions& options, const Tell& tell) {
  const Result<PreparedDepend> prepared = prepare_depend(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  // entries, priorities, masks
  const Program& program = prepared->loaded.program;
  const auto system = depend::System::make(program, prepared->models, prepared->oil ? &*prepared->oil : nullptr);
  if (!system) return std::unexpected(system.error());
  return options.as_json ? depend::entries_json(program, *system) : depend::entries_text(program, *system);
}

}  // namespace heddle::pipeline
