// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/dump.h"

#include <algorithm>
#include <ostream>

#include "pipeline/verify.h"
#include "scan/scan.h"
#include "scan/summary/summary_text.h"
#include "topdown/domain/state_text.h"

namespace heddle::pipeline {
namespace {

/// `worker called from main at server.c:12`, the innermost call first.
std::string context_text(const topdown::Universe& u, topdown::ContextId context) {
  const threads::Context& frame = u.threads.contexts[context];
  std::string out(u.program.functions[frame.function].name);
  if (!frame.caller) return out;
  const Function& caller = u.program.functions[u.threads.contexts[frame.caller].function];
  return out + ", called at " + u.program.where(caller.instructions[frame.call].location) + " in " +
         context_text(u, frame.caller);
}

/// Where a block begins in the source: its first instruction that has a place.
std::string block_place(const Program& program, const Function& function, BlockId id) {
  const Block& block = function.blocks[id.index()];
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
    if (function.instructions[i].location) return program.where(function.instructions[i].location);
  return program.where(function.location);
}

}  // namespace

Result<void> dump_summaries(std::ostream& out, const Input& input, const Loaded& loaded) {
  const Result<api::ApiModels> models = load_models(input, loaded.program);
  if (!models) return std::unexpected(models.error());
  const scan::Scan scan(loaded.program, *models, {});
  scan::print_summaries(out, loaded.program, scan.summaries());
  return {};
}

Result<void> dump_states(std::ostream& out, const Input& input, const Loaded& loaded) {
  if (auto checked = check_one_program(loaded); !checked) return std::unexpected(checked.error());
  const Result<api::ApiModels> models = load_models(input, loaded.program);
  if (!models) return std::unexpected(models.error());
  const Program& program = loaded.program;
  const FunctionId main = main_of(program);
  if (!main) return error("no function main with a body in the given files; states are those of a whole program");
  topdown::TopDownOptions options = limits_for(program, *models, {});
  options.see_block = [&](topdown::Universe& u, topdown::ContextId context, BlockId block,
                          std::span<const topdown::State> states) {
    const Function& function = program.functions[u.threads.contexts[context].function];
    for (std::size_t i = 0; i < states.size(); ++i) {
      out << context_text(u, context) << "\n  block " << block.index() << " at "
          << block_place(program, function, block);
      if (states.size() > 1) out << ", state " << i + 1 << " of " << states.size();
      out << '\n';
      topdown::StateText(u).print(out, context, states[i]);
    }
  };
  const topdown::TopDownResult result = topdown::analyse_top_down(program, *models, main, options);
  if (result.gave_up) out << "the analysis ran out of its budget: these states are not all\n";
  return {};
}

}  // namespace heddle::pipeline
