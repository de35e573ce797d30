// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code: the blocks of a function in an order in which all that comes to one is there before it is looked at.
#include <algorithm>

#include "judge/bmc/unroller.h"

namespace heddle::judge::bmc {

namespace {
constexpr std::uint32_t most_known_rounds = 600;  // of a loop that ends whatever is not known
}  // namespace

const Unroller::LoopFacts& Unroller::loops_of(FunctionId id) {
  const auto [known, is_new] = loops_.try_emplace(id.index());
  LoopFacts& facts = known->second;
  if (!is_new) return facts;
  const Function& function = program_.functions[id];
  facts.places = block_order(function);
  for (const BlockPlace& place : facts.places)
    for (const BlockId head : place.heads) facts.endless.insert(head.index());
  for (std::uint32_t b = 0; b < function.blocks.size(); ++b)
    for (const BlockId next : function.successors(BlockId(b)))
      for (const BlockId head : facts.places[b].heads)
        if (std::ranges::find(facts.places[next.index()].heads, head) == facts.places[next.index()].heads.end())
          facts.endless.erase(head.index());
  return facts;
}

std::vector<std::uint32_t> Unroller::place_key(const Frame&, const std::vector<std::uint32_t>& path,
                                               const std::vector<std::uint32_t>& rounds) const {
  std::vector<std::uint32_t> key{path[0]};
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    key.push_back(rounds[i]);
    key.push_back(path[i + 1]);
  }
  return key;
}

/// Of an instruction, in this context and these rounds.
std::vector<std::uint32_t> Unroller::here(const Site& site) const {
  std::vector<std::uint32_t> out{site.frame.context, site.index};
  out.insert(out.end(), site.frame.rounds.begin(), site.frame.rounds.end());
  return out;
}

std::pair<Unroller::Path, Unroller::ValueNumber> Unroller::function(FunctionId id, std::vector<ValueNumber> arguments,
                                                                    Path path, std::uint32_t context,
                                                                    const Frame* caller) {
  std::uint32_t depth = 0;
  for (const Frame* above = caller; above != nullptr; above = above->caller) depth += above->id == id ? 1 : 0;
  if (depth > options_.rounds) {
    execution_.is_cut = true;
    path.condition = Bit::no();
    return {std::move(path), 0};
  }
  Frame frame;
  frame.id = id;
  frame.function = &program_.functions[id];
  frame.loops = &loops_of(id);
  frame.caller = caller;
  frame.context = context;
  frame.values.assign(frame.function->value_count(), 0);
  std::ranges::copy(arguments, frame.values.begin());
  go(frame, BlockId(0), std::move(path), true);
  while (!frame.open.empty()) {
    Arrivals next = std::move(frame.open.begin()->second);
    frame.open.erase(frame.open.begin());
    block(frame, std::move(next));
  }
  if (frame.returns.empty()) {
    Path nowhere;
    nowhere.condition = Bit::no();
    return {std::move(nowhere), 0};
  }
  std::vector<Path> paths;
  std::vector<Bit> conditions;
  std::vector<ValueNumber> results;
  for (auto& [left, result] : frame.returns) {
    conditions.push_back(left.condition);
    paths.push_back(std::move(left));
    results.push_back(result);
  }
  // Nothing comes behind main but the end, whoever was started.
  if (caller == nullptr && id == main_) return {std::move(paths.back()), 0};
  const ValueNumber result = merge_values(conditions, results);
  return {merge_paths(std::move(paths)), result};
}

bool Unroller::is_full() const {
  return touches_ >= options_.most_touches || execution_.points.size() >= options_.most_points ||
         execution_.threads[thread_].points.size() >= options_.most_points_of_thread;
}

void Unroller::block(Frame& frame, Arrivals arrivals) {
  const BlockPlace& place = frame.loops->places[arrivals.block.index()];
  frame.block = arrivals.block;
  frame.rounds = arrivals.rounds;
  frame.counted.assign(arrivals.rounds.size(), 0);
  std::vector<Bit> conditions;
  std::vector<Path> paths;
  for (Arrival& way : arrivals.ways) {
    for (std::size_t i = 0; i < frame.counted.size(); ++i)
      frame.counted[i] = std::max(frame.counted[i], way.counted[i]);
    conditions.push_back(way.path.condition);
    paths.push_back(std::move(way.path));
  }
  if (!place.heads.empty() && place.heads.back() == frame.block && frame.rounds.back() > 0) {
    std::vector<std::uint32_t> before = place_key(frame, place.path, frame.rounds);
    before.pop_back();
    --before.back();
    const bool is_known = !frame.unknown_ends.contains(before) && !frame.loops->endless.contains(frame.block.index()) &&
                          frame.rounds.back() < most_known_rounds;
    if (!is_known && ++frame.counted.back() > options_.rounds) {
      execution_.is_cut = true;
      return;
    }
  }
  std::vector<ValueNumber> values(frame.values.size(), 0);
  for (std::size_t v = 0; v < values.size(); ++v) {
    std::vector<ValueNumber> each;
    for (const Arrival& way : arrivals.ways) each.push_back(way.values[v]);
    values[v] = merge_values(conditions, each);
  }
  frame.values = std::move(values);
  Path path = merge_paths(std::move(paths));
  const Block& code = frame.function->blocks[frame.block.index()];
  for (std::uint32_t i = code.first; i < code.first + code.count; ++i) {
    if (path.condition.is_no()) return;
    if (is_full()) {
      execution_.is_cut = execution_.is_cut_short = true;
      return;
    }
    if (++instructions_ > options_.most_instructions || circuit_.size() > options_.most_gates)
      throw NoEncoding{"it does too much within so many rounds"};
    if (instructions_ % 1024 == 0 && options_.stop.is_asked()) throw NoEncoding{options_.stop.why()};
    const Instruction& one = frame.function->instructions[i];
    if (one.opcode == Opcode::Phi) continue;
    if (one.is_call())
      call({frame, i, one}, path);
    else if (!one.is_terminator())
      instruction({frame, i, one}, path);
    if (one.is_terminator() && !path.condition.is_no()) terminator(frame, one, path);
  }
}

void Unroller::terminator(Frame& frame, const Instruction& code, Path& path) {
  const auto operands = frame.function->operands_of(code);
  switch (code.opcode) {
    case Opcode::Return:
      frame.returns.emplace_back(std::move(path), operands.empty() ? 0 : keep(operand(frame, operands[0])));
      return;
    case Opcode::Branch: return take_edge(frame, std::move(path), Bit::yes(), operands[0].as_block());
    case Opcode::Invoke: return take_edge(frame, std::move(path), Bit::yes(), operands[operands.size() - 2].as_block());
    case Opcode::CondBranch: {
      const Bit condition = operand(frame, operands[0]).bits[0];
      take_edge(frame, path, condition, operands[1].as_block());
      return take_edge(frame, std::move(path), !condition, operands[2].as_block());
    }
    case Opcode::Switch: {
      const Value of = operand(frame, operands[0]);
      Bit others = Bit::yes();
      for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
        const Bit is_it = circuit_.both(others, equal(circuit_, of.bits, operand(frame, operands[i]).bits));
        take_edge(frame, path, is_it, operands[i + 1].as_block());
        others = circuit_.both(others, !is_it);
      }
      return take_edge(frame, std::move(path), others, operands[1].as_block());
    }
    case Opcode::Unreachable: return;
    case Opcode::Resume: throw NoEncoding{"it handles exceptions"};
    default: throw NoEncoding{"it has a jump to a computed address"};
  }
}

void Unroller::take_edge(Frame& frame, Path path, Bit condition, BlockId to) {
  path.condition = circuit_.both(path.condition, condition);
  if (path.condition.is_no()) return;
  go(frame, to, std::move(path), condition.is_yes());
}

void Unroller::go(Frame& frame, BlockId to, Path path, bool is_certain) {
  const BlockPlace& target = frame.loops->places[to.index()];
  Arrival way{std::move(path), frame.values, {}};
  std::vector<std::uint32_t> rounds;
  const bool is_first = !frame.block.valid();
  std::size_t common = 0;
  if (!is_first) {
    const BlockPlace& source = frame.loops->places[frame.block.index()];
    while (common < target.heads.size() && common < source.heads.size() && target.heads[common] == source.heads[common])
      ++common;
    for (std::size_t left = common; left < source.heads.size() && !is_certain; ++left) {
      std::vector<std::uint32_t> round = place_key(frame, source.path, frame.rounds);
      round.resize(2 * left + 2);
      frame.unknown_ends.insert(std::move(round));
    }
    const Function& code = *frame.function;
    const Block& block = code.blocks[to.index()];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Instruction& phi = code.instructions[i];
      if (phi.opcode != Opcode::Phi) continue;
      const auto operands = code.operands_of(phi);
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
        if (operands[k + 1].as_block() == frame.block) {
          way.values[code.result_of(i).index()] = keep(operand(frame, operands[k]));
          break;
        }
    }
  }
  for (std::size_t i = 0; i < target.heads.size(); ++i) {
    const bool goes_round = i < common && i + 1 == target.heads.size() && target.heads[i] == to;
    rounds.push_back(i < common ? frame.rounds[i] + (goes_round ? 1 : 0) : 0);
    way.counted.push_back(i < common ? frame.counted[i] : 0);
  }
  Arrivals& there = frame.open[place_key(frame, target.path, rounds)];
  there.block = to;
  there.rounds = std::move(rounds);
  there.ways.push_back(std::move(way));
}

}  // namespace heddle::judge::bmc
