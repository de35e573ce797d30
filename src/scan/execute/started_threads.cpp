// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/started_threads.h"

#include <algorithm>

namespace heddle::scan {

std::uint32_t StartedThreads::add(const SymbolicValue& entry, Lvalue handle, std::uint32_t rank, bool is_many,
                                  bool is_group) {
  constexpr std::size_t most = 64;
  if (is_nameless(handle)) return unknown;
  const Loop* loop = body_.innermost_loop(rank);
  const OpenThread thread{
      {entry, handle_name(handle), is_many, is_group}, handle, loop == nullptr ? OpenThread::no_loop : loop->head};
  const auto at = std::ranges::find(rows_, thread);
  if (at != rows_.end()) return static_cast<std::uint32_t>(at - rows_.begin());
  if (rows_.size() == most) return unknown;
  rows_.push_back(thread);
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

Lvalue StartedThreads::handle_name(Lvalue handle) {
  if (!handle.valid() || names_.nodes()[handle.node].kind != NodeKind::Element) return handle;
  const Node& element = names_.nodes()[handle.node];
  return {names_.nodes().element({element.parent, element.offset}, element.stride, Node::some_element), handle.offset};
}

Lvalue StartedThreads::memory_of(Operand handle) {
  const Function& f = body_.function;
  if (!handle.is_value() || f.is_parameter(handle.as_value())) return {};
  const Instruction& source = f.instructions[f.definition(handle.as_value())];
  if (source.opcode == Opcode::Load) return names_.lvalue_of(f.operands_of(source)[0]);
  return returns_handle(handle.as_value()) ? returned_handle(handle.as_value()) : Lvalue{};
}

Lvalue StartedThreads::returned_handle(ValueId call) {
  return {names_.nodes().intern({.kind = NodeKind::Local, .index = call.index()}), 0};
}

bool StartedThreads::returns_handle(ValueId call) const {
  return std::ranges::any_of(calls_, [&](const BoundCall& c) {
    return body_.function.result_of(c.instruction) == call && c.is_bound && c.summary->returned_handle.valid();
  });
}

bool StartedThreads::is_nameless(Lvalue handle) const {
  return !handle.valid() || names_.nodes()[names_.nodes().root(handle.node)].kind == NodeKind::Value;
}

}  // namespace heddle::scan
