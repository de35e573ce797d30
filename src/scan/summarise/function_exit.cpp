// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/function_exit.h"

#include <algorithm>

#include "base/contains.h"

namespace heddle::scan {

FunctionExit::FunctionExit(const FunctionBody& body, ValueNames& names, Execution& done, LockFlow& flow)
    : body_(body), names_(names), done_(done), flow_(flow) {
  for (const LockFlow::Variant& variant : flow.variants()) {
    flow.look_at(variant);
    if (const Condition is_so = flow.condition_of(variant); !is_so.is_always() && is_so.wants_zero()) when = is_so;
    for (const ReturnPoint& point : done.returns) add(variant, point);
  }
  finish_result();
  find_returned_handle();
  thrown = flow.locksets().thrown();
}

void FunctionExit::add(const LockFlow::Variant& variant, const ReturnPoint& point) {
  if (!variant.entry[point.rank].reached) return;
  LockState out = flow_.flow_block(point.rank, variant.entry[point.rank]);
  if (out.ended) return;
  out.reached = true;
  if (!any.reached)
    stores = point.stores;
  else
    std::erase_if(stores, [&](const auto& entry) {
      const SymbolicValue* same = find_store(point.stores, entry.first);
      return same == nullptr || !(*same == entry.second);
    });
  flow_.merge(any, out);
  if (const Condition condition = flow_.condition_of(variant); !condition.is_always())
    flow_.merge(condition.wants_zero() ? if_zero : if_not, out);
  if (!point.has_value) return;
  if (const Instruction* phi = returned_phi(point)) return add_phi(variant, *phi, point);
  const bool decides_a_lock =
      out.pending != LockState::none && point.value.is_value() &&
      body_.function.result_of(done_.events[out.pending].at.instruction).index() == point.value.index();
  if (!decides_a_lock) return add_result(point.value, point.symbolic, out);
  // `return trylock(&l);`
  flow_.merge(zero, flow_.refine(out, ResultSign::Zero));
  const LockState is_other = flow_.refine(out, ResultSign::NonZero);
  flow_.merge(other, is_other);
  flow_.merge(valid, is_other.pending == LockState::none ? is_other : flow_.refine(is_other, ResultSign::NotError));
  is_known_ = false;
  has_result_ = true;
}

/// One return for all: the phi in front of it knows the value for each way there.
const Instruction* FunctionExit::returned_phi(const ReturnPoint& point) const {
  const Function& f = body_.function;
  if (!point.value.is_value() || f.is_parameter(point.value.as_value())) return nullptr;
  const std::size_t at = f.definition(point.value.as_value());
  const Block& block = body_.block(point.rank);
  const bool is_here = at >= block.first && at < block.first + block.count;
  const auto [first, end] = done_.block_events[point.rank];
  return is_here && f.instructions[at].opcode == Opcode::Phi && first == end ? &f.instructions[at] : nullptr;
}

void FunctionExit::add_phi(const LockFlow::Variant& variant, const Instruction& phi, const ReturnPoint& point) {
  const auto operands = body_.function.operands_of(phi);
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    const std::uint32_t from = body_.cfg.rank[operands[k + 1].index()];
    if (from == flow::Cfg::none_rank || !variant.entry[from].reached) continue;
    const std::size_t way = body_.successors(from)[0] == body_.cfg.order[point.rank] ? 0 : 1;
    const LockState exit = flow_.flow_to(from, way, variant.entry[from]);
    if (exit.ended) continue;
    if (const auto edge = flow_.follow(variant, from, way, exit))
      add_result(operands[k], names_.value_of(operands[k]), *edge);
  }
}

void FunctionExit::add_result(Operand returned, const SymbolicValue& value, const LockState& state) {
  const bool is_zero = value.is_null();
  if (!names_.is_surely_not_zero(returned)) flow_.merge(zero, state);
  if (!is_zero) flow_.merge(other, state);
  if (!value.leads_nowhere()) flow_.merge(valid, state);
  if (value.leads_nowhere()) {
    if (!contains(nowhere_, value.number)) nowhere_.push_back(value.number);
    return;
  }
  if (!has_result_) common_ = value;
  is_known_ = is_known_ && (!has_result_ || value == common_) && !value.is_unknown();
  has_result_ = true;
}

void FunctionExit::finish_result() {
  // That a pointer may be null or an error as well does not matter; a number is one or none.
  if (has_result_ && is_known_ && (common_.is_address() || nowhere_.empty())) result = common_;
  if (nowhere_.size() == 1 && !has_result_) result = SymbolicValue::constant(nowhere_[0]);
  if (result.is_unknown() && nowhere_.empty()) find_returned_parameter();
  if (!done_.has_lock_events || done_.returns.size() != 1 || !result.is_unknown()) return;
  const SymbolicValue& only = done_.returns[0].symbolic;
  if (only.is_address() && names_.nodes()[only.address.node].kind == NodeKind::Value) result = only;
}

/// `void *ERR_PTR(long error) { return (void *)error; }`
void FunctionExit::find_returned_parameter() {
  if (done_.returns.size() != 1 || !done_.returns[0].has_value) return;
  const Function& f = body_.function;
  Operand value = done_.returns[0].value;
  while (value.is_value() && !f.is_parameter(value.as_value())) {
    const Instruction& cast = f.instructions[f.definition(value.as_value())];
    const bool keeps =
        cast.opcode == Opcode::Freeze ||
        (cast.opcode == Opcode::Cast &&
         (cast.cast_op() == CastOp::SExt || cast.cast_op() == CastOp::IntToPtr || cast.cast_op() == CastOp::PtrToInt));
    if (!keeps) return;
    value = f.operands_of(cast)[0];
  }
  if (value.is_value() && names_.value_of(value).is_unknown()) result = SymbolicValue::parameter(value.index());
}

/// `pthread_t make(…) { pthread_t t; pthread_create(&t, …); return t; }`
void FunctionExit::find_returned_handle() {
  const auto& threads = done_.threads.rows();
  Lvalue handle;
  for (const ReturnPoint& point : done_.returns) {
    const Lvalue from = point.has_value && !threads.empty() ? done_.threads.memory_of(point.value) : Lvalue{};
    if (!from.valid() || names_.nodes()[from.node].kind != NodeKind::Local || (handle.valid() && handle != from))
      return;
    handle = from;
  }
  if (std::ranges::any_of(threads, [&](const OpenThread& t) { return t.exact == handle; })) returned_handle = handle;
}

}  // namespace heddle::scan
