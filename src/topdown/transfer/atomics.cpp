// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/atomics.h"
#include "program/model/accessed_bytes.h"

namespace heddle::topdown {

bool Atomics::atomic_update(const Site& site, State& s) {
  const auto size = static_cast<std::uint32_t>(accessed_bytes(u.program.types[site.code().access_type]));
  const FormId address = values_.evaluate(site, s, site.operands()[0]);
  const unsigned bits = values_.bits_of(site.code().access_type);
  if (!recorder_.access(site, s, address, size, AccessKind::Write, true)) return false;
  const FormId old = memory_.load(s, address, size, bits, values_.result_symbol(site));
  const InfoId before = d.info_of(s, old, bits);
  const FormId given = values_.evaluate(site, s, site.operands()[1]);  // only now: the load gave its name away
  const RmwOp op = site.code().rmw_op();
  FormId next;
  if (op == RmwOp::Add || op == RmwOp::Sub) next = u.combine(old, given, op == RmwOp::Add ? 1 : -1, bits);
  if (!next) next = u.opaque(u.with_addresses_of(d.blur(before, bits), d.blur(d.info_of(s, given, bits), bits)));
  if (site.code().order < AtomicOrder::AcqRel) {
    recorder_.check_publication(site, s, old);
    recorder_.check_publication(site, s, next);
  }
  values_.assign(site, s, old);
  memory_.store(s, values_.evaluate(site, s, site.operands()[0]), next, size, bits, {.replaced = old});
  return true;
}

void Atomics::exchange(const Site& site, const State& before, States& out) {
  const Instruction& code = site.code();
  const bool compares = code.opcode == Opcode::CmpXchg;
  Operands with;
  with.size = static_cast<std::uint32_t>(accessed_bytes(u.program.types[code.access_type]));
  with.bits = values_.bits_of(code.access_type);
  State s = before;
  if (!recorder_.access(site, s, values_.evaluate(site, s, site.operands()[0]), with.size, AccessKind::Write, true))
    return;
  Symbol name = u.symbols[values_.result_symbol(site)];
  name.bits = static_cast<std::uint8_t>(with.bits);
  with.old = memory_.load(s, values_.evaluate(site, s, site.operands()[0]), with.size, with.bits, u.symbol(name));
  // Evaluated only now: the load gave its name away.
  with.address = values_.evaluate(site, s, site.operands()[0]);
  with.given = values_.evaluate(site, s, site.operands()[compares ? 2 : 1]);
  with.expected = compares ? values_.evaluate(site, s, site.operands()[1]) : with.given;
  if (code.order < AtomicOrder::AcqRel) {
    recorder_.check_publication(site, s, with.given);
    recorder_.check_publication(site, s, with.old);
  }
  if (compares)
    compare_and_exchange(site, with, s, out);
  else
    plain_exchange(site, with, s, out);
}

void Atomics::compare_and_exchange(const Site& site, const Operands& with, const State& s, States& out) {
  const Instruction& code = site.code();
  State equal = s;
  State different = s;
  const bool may_equal = d.assume_compare(equal, Predicate::Eq, with.old, with.expected, with.bits);
  const bool may_differ = d.assume_compare(different, Predicate::Ne, with.old, with.expected, with.bits) ||
                          code.has_flag(Instruction::weak);
  if (may_equal) {
    const bool flag =
        flags_.change_flag(equal, {with.address, with.size, with.given, u.constant_of(with.expected), code.order});
    memory_.store(equal, with.address, with.given, with.size, with.bits,
                  {.changes_flag = flag, .replaced = with.expected});
    values_.assign(site, equal, u.constant(1));
    out.push_back(equal);
  }
  if (may_differ) {
    const auto failure = static_cast<AtomicOrder>(code.detail);
    if (failure != AtomicOrder::Acquire && failure < AtomicOrder::AcqRel)
      recorder_.check_publication(site, different, with.old);
    values_.assign(site, different, u.constant(0));
    out.push_back(different);
  }
}

void Atomics::plain_exchange(const Site& site, const Operands& with, const State& s, States& out) {
  State equal = s;
  State different = s;
  const bool may_equal = d.assume_compare(equal, Predicate::Eq, with.old, with.expected, with.bits);
  const bool may_differ = d.assume_compare(different, Predicate::Ne, with.old, with.expected, with.bits);
  if (may_equal) {  // nothing changes
    values_.assign(site, equal, with.old);
    memory_.store(equal, with.address, with.given, with.size, with.bits, {.changes_flag = true});
    out.push_back(equal);
  }
  if (may_differ) {
    const Interval was = d.interval_of(different, with.old, with.bits);
    const auto before = was.is_constant() ? std::optional(was.low) : std::nullopt;
    const bool flag = flags_.change_flag(different, {with.address, with.size, with.given, before, site.code().order});
    values_.assign(site, different, with.old);
    memory_.store(different, with.address, with.given, with.size, with.bits, {.changes_flag = flag});
    out.push_back(different);
  }
}

}  // namespace heddle::topdown
