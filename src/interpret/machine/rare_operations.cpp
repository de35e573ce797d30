// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/rare_operations.h"

#include <algorithm>

#include "interpret/code/values.h"
#include "interpret/machine/doubts.h"

namespace heddle::interpret {
namespace {

Slot updated(Core& core, const Code& code, FloatFormat format, const Slot& old, const Slot& value) {
  Trouble ignored = Trouble::None;
  const auto bits = code.width;
  const auto real = [&](BinaryOp op, Slot& to) {
    float_binary(op, &old, &value, format, &to, core.image.platform.rules);
  };
  const auto binary = [&](BinaryOp op) { return binary_slots(op, old, value, bits, 0, ignored); };
  const auto pick = [&](Predicate keep) { return holds(keep, old.bits, value.bits, bits) ? old : value; };
  Slot out;
  switch (static_cast<RmwOp>(code.c)) {
    case RmwOp::Xchg: return value;
    case RmwOp::Add: return binary(BinaryOp::Add);
    case RmwOp::Sub: return binary(BinaryOp::Sub);
    case RmwOp::And: return binary(BinaryOp::And);
    case RmwOp::Or: return binary(BinaryOp::Or);
    case RmwOp::Xor: return binary(BinaryOp::Xor);
    case RmwOp::Nand:
      out = binary(BinaryOp::And);
      out.bits = ~out.bits & mask_of(bits);
      return out;
    case RmwOp::Max: return pick(Predicate::Sgt);
    case RmwOp::Min: return pick(Predicate::Slt);
    case RmwOp::UMax: return pick(Predicate::Ugt);
    case RmwOp::UMin: return pick(Predicate::Ult);
    case RmwOp::FAdd: real(BinaryOp::FAdd, out); return out;
    case RmwOp::FSub: real(BinaryOp::FSub, out); return out;
    default: core.account.unsupported("atomic update of this kind");
  }
}

bool same(const Slot* a, const Slot* b, std::uint32_t slots) {
  for (std::uint32_t i = 0; i < slots; ++i)
    if (a[i].bits != b[i].bits) return false;
  return true;
}

}  // namespace

void in_trouble(Core& core, Trouble trouble) {
  switch (trouble) {
    case Trouble::DivisionByZero: core.account.undefined("division by zero");
    case Trouble::DivisionOverflow: core.account.undefined("division overflows");
    case Trouble::SignedOverflow: core.account.add_note(Note::Kind::SignedOverflow, "signed integer overflow"); return;
    case Trouble::ShiftTooFar:
      core.account.add_note(Note::Kind::Uninitialised,
                            "a shift by as many bits as the value has, or more: the result has no value");
      return;
    case Trouble::None: return;
  }
}

/// Atomic accesses of every kind; false: the thread stops before it.
bool atomic_access(Core& core, const Code& c, Slot* r, const Slot* constants) {
  const auto at = [&](std::int32_t i) { return (i < 0 ? constants : r) + i; };
  const Shape& shape = core.image.decoded.shapes[c.extra];
  const Slot address = *at(c.op == Op::AtomicStore ? c.b : c.a);
  const OpKind kind = c.op == Op::AtomicLoad    ? OpKind::AtomicRead
                      : c.op == Op::AtomicStore ? OpKind::AtomicWrite
                                                : OpKind::AtomicUpdate;
  if (!core.gate.admit_atomic(kind, address.bits, static_cast<std::uint32_t>(shape.size))) return false;
  switch (c.op) {
    case Op::AtomicLoad: core.space.load_many(address, shape, r + c.dst, true); return true;
    case Op::AtomicStore: core.space.store_many(address, shape, at(c.a), true); return true;
    case Op::AtomicRmw: {
      if (shape.slots != 1) core.account.unsupported("atomic update of more than 64 bits");
      const Slot value = *at(c.b);
      const Slot old = core.space.load(address, shape.leaves[0], true);
      if (static_cast<RmwOp>(c.c) != RmwOp::Xchg) {
        compute_with(core.account, old);
        compute_with(core.account, value);
        core.account.look_at_unknown(old.undef | value.undef);
      }
      core.space.store(address, shape.leaves[0], updated(core, c, shape.format, old, value), true);
      r[c.dst] = old;
      return true;
    }
    default: {
      Slot old[2];
      if (shape.slots > 2) core.account.unsupported("compare and exchange of an aggregate");
      core.space.load_many(address, shape, old, true);
      for (std::uint32_t i = 0; i < shape.slots; ++i)
        compare_with_doubt(core, Predicate::Eq, old[i], at(c.b)[i], shape.leaves[i].bits, shape.leaves[i].is_pointer);
      const bool equal = same(old, at(c.b), shape.slots);
      std::uint64_t unknown = 0;
      for (std::uint32_t i = 0; i < shape.slots; ++i) unknown |= old[i].undef | at(c.b)[i].undef;
      core.account.look_at_unknown(unknown);
      if (equal) core.space.store_many(address, shape, at(c.c), true);
      for (std::uint32_t i = 0; i < shape.slots; ++i) r[c.dst + static_cast<std::int32_t>(i)] = old[i];
      r[c.dst + static_cast<std::int32_t>(shape.slots)] = {equal ? 1ULL : 0ULL, unknown == 0 ? 0ULL : 1ULL, 0, 0};
      return true;
    }
  }
}

/// Lane by lane what the scalar instruction does.
void vector_operation(Core& core, const Code& c, Slot* r, const Slot* constants) {
  const auto at = [&](std::int32_t i) { return (i < 0 ? constants : r) + i; };
  const TypeId element = core.image.program.types[TypeId(c.extra)].element;
  const Shape& shape = core.image.decoded.shapes[element.index()];
  const auto lanes = static_cast<std::int32_t>(core.image.program.types[TypeId(c.extra)].count);
  const auto step = static_cast<std::int32_t>(shape.slots);
  Trouble trouble = Trouble::None;
  for (std::int32_t lane = 0; lane < lanes; ++lane) {
    const Slot* a = at(c.a) + lane * step;
    const Slot* b = at(c.b) + lane * step;
    if (!shape.is_float) {
      compute_with(core.account, *a);
      if (c.op != Op::VectorCast) compute_with(core.account, *b);
    }
    if (c.op == Op::VectorCast) {
      const TypeId target = core.image.program.types[TypeId(static_cast<std::size_t>(c.b))].element;
      const Shape& to = core.image.decoded.shapes[target.index()];
      cast_number({static_cast<CastOp>(c.detail), shape.number(), to.number()}, a,
                  r + c.dst + lane * static_cast<std::int32_t>(to.slots), core.image.platform.rules);
    } else if (c.op == Op::VectorCompare) {
      const auto predicate = static_cast<Predicate>(c.detail);
      const bool result =
          shape.is_float ? float_holds(predicate, a, b, shape.format) : holds(predicate, a->bits, b->bits, shape.bits);
      r[c.dst + lane] = {result ? 1ULL : 0ULL, (a->undef | b->undef) != 0 ? 1ULL : 0ULL, 0, 0};
    } else if (shape.is_float) {
      float_binary(static_cast<BinaryOp>(c.detail), a, b, shape.format, r + c.dst + lane * step,
                   core.image.platform.rules);
    } else if (shape.bits > 64) {
      wide_binary(static_cast<BinaryOp>(c.detail), a, b, shape.bits, r + c.dst + lane * step, trouble);
    } else {
      r[c.dst + lane] = binary_slots(static_cast<BinaryOp>(c.detail), *a, *b, shape.bits, c.flags, trouble);
    }
  }
  if (trouble != Trouble::None) in_trouble(core, trouble);
}

/// Through memory's eyes: the bytes stay, the leaves change.
void bitcast(Core& core, const Code& c, Slot* r, const Slot* constants) {
  const Slot* from = (c.a < 0 ? constants : r) + c.a;
  const Shape& to = core.image.decoded.shapes[static_cast<std::size_t>(c.b)];
  if (c.extra == TypeId().index() || (to.slots == 1 && core.image.decoded.shapes[c.extra].slots == 1)) {
    r[c.dst] = *from;
    return;
  }
  const Shape& source = core.image.decoded.shapes[c.extra];
  std::vector<std::uint8_t> bytes(std::max(source.size, to.size)), undef(bytes.size());
  for (std::uint32_t i = 0; i < source.slots; ++i) {
    std::memcpy(bytes.data() + source.leaves[i].offset, &from[i].bits, source.leaves[i].size);
    std::memcpy(undef.data() + source.leaves[i].offset, &from[i].undef, source.leaves[i].size);
  }
  for (std::uint32_t i = 0; i < to.slots; ++i) {
    Slot out;
    std::memcpy(&out.bits, bytes.data() + to.leaves[i].offset, to.leaves[i].size);
    std::memcpy(&out.undef, undef.data() + to.leaves[i].offset, to.leaves[i].size);
    r[c.dst + static_cast<std::int32_t>(i)] = out;
  }
}

void move_elements(Core& core, const FunctionCode& function, const Code& c, Slot* r, const Slot* constants) {
  const auto at = [&](std::int32_t i) { return (i < 0 ? constants : r) + i; };
  const auto n = static_cast<std::int32_t>(c.extra);
  switch (c.op) {
    case Op::InsertValue:
      for (std::int32_t i = 0; i < n; ++i) r[c.dst + i] = at(c.a)[i];
      for (std::int32_t i = 0; i < c.width; ++i) r[c.dst + c.c + i] = at(c.b)[i];
      return;
    case Op::ExtractElement: {
      const std::uint64_t index = at(c.b)->bits;
      core.account.look_at_unknown(at(c.b)->undef);
      if (index >= static_cast<std::uint64_t>(c.c)) core.account.undefined("vector index out of bounds");
      for (std::int32_t i = 0; i < n; ++i) r[c.dst + i] = at(c.a)[static_cast<std::int32_t>(index) * n + i];
      return;
    }
    case Op::InsertElement: {
      const std::uint64_t index = at(c.c)->bits;
      core.account.look_at_unknown(at(c.c)->undef);
      if (index >= c.extra) core.account.undefined("vector index out of bounds");
      for (std::int32_t i = 0; i < n; ++i) r[c.dst + i] = at(c.a)[i];
      r[c.dst + static_cast<std::int32_t>(index)] = *at(c.b);
      return;
    }
    default: {
      const auto& mask = function.lists[c.extra];
      const std::int32_t width = c.width;
      for (std::size_t k = 0; k < mask.size(); ++k)
        for (std::int32_t i = 0; i < width; ++i) {
          const std::int32_t lane = mask[k];
          const Slot undef{0, ~0ULL, 0, 0};
          const Slot& from = lane < 0     ? undef
                             : lane < c.c ? at(c.a)[lane * width + i]
                                          : at(c.b)[(lane - c.c) * width + i];
          r[c.dst + static_cast<std::int32_t>(k) * width + i] = from;
        }
    }
  }
}

void run_assembly(Core& core, const FunctionCode& function, const Code& c) {
  const CallInfo& info = core.image.program.functions[function.id].calls[static_cast<std::size_t>(c.a)];
  // An empty template computes nothing: a barrier for the compiler.
  if (!info.asm_text.starts_with('|') || function.calls[c.extra].result_slots != 0)
    core.account.unsupported("inline assembly: " + std::string(info.asm_text));
}

bool stop_before_return(Core& core, const Thread& thread) {
  if (core.gate.in_section()) return false;
  const TouchedBytes end = core.frames.felt_end(thread);
  if (end.size == 0) return false;
  const bool may = core.gate.is_granted();
  core.gate.grant(false);
  if (!may) core.gate.stop_before_touches(OpKind::Write, {&end, 1});
  return !may;
}

}  // namespace heddle::interpret
