// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/run.h"

#include <algorithm>

#include "interpret/code/values.h"
#include "interpret/library/cxx/exceptions.h"
#include "interpret/library/native_frames.h"
#include "interpret/machine/doubts.h"
#include "interpret/machine/rare_operations.h"
#include "interpret/sync/external_call.h"

namespace heddle::interpret {
namespace {

/// Parallel moves of an edge: all sources are read before the first target is written.
void do_moves(const FunctionCode& code, const Edge& edge, Slot* r, const Slot* constants) {
  const Move* moves = code.moves.data() + edge.first_move;
  const auto source = [&](std::int32_t i) -> const Slot& { return (i < 0 ? constants : r)[i]; };
  if (edge.moves == 1) {
    r[moves[0].to] = source(moves[0].from);
    return;
  }
  if (edge.moves <= 16) {
    Slot buffer[16];
    for (std::uint32_t i = 0; i < edge.moves; ++i) buffer[i] = source(moves[i].from);
    for (std::uint32_t i = 0; i < edge.moves; ++i) r[moves[i].to] = buffer[i];
    return;
  }
  std::vector<Slot> buffer(edge.moves);
  for (std::uint32_t i = 0; i < edge.moves; ++i) buffer[i] = source(moves[i].from);
  for (std::uint32_t i = 0; i < edge.moves; ++i) r[moves[i].to] = buffer[i];
}

/// Adds up what was run, however the loop is left.
struct Counter {
  Core& core;
  Thread& thread;
  const std::uint64_t& limit;
  const std::uint64_t& left;
  ~Counter() {
    core.account.count(limit - left);
    thread.instructions += limit - left;
  }
};

}  // namespace

bool run(Core& core, std::uint64_t budget) {
  Image& image = core.image;
  Memory& memory = core.memory;
  Space& space = core.space;
  Account& account = core.account;
  Gate& gate = core.gate;
  Frames& frames = core.frames;
  const MachineOptions& options = core.options;
  const DecodedProgram& decoded = image.decoded;
  Thread& t = core.threads.running();
  const std::uint64_t done = account.instructions();
  const std::uint64_t room = options.max_instructions > done ? options.max_instructions - done : 0;
  const std::uint64_t limit = std::min(budget, room);
  std::uint64_t left = limit;
  const Counter counter{core, t, limit, left};
  const Slot* const k = decoded.constants_end();
  const bool switching = options.switch_at_accesses;
  const bool follows = options.record_passages;

  for (;;) {
    if (t.frames.empty()) return false;
    Frame* f = &t.frames.back();
    if (f->code == nullptr) {
      if (!resume_native(core, t)) return true;
      continue;
    }
    const FunctionCode& function = *f->code;
    const Code* const code = function.code.data();
    Slot* const r = t.slots.data() + f->base;
    std::uint32_t pc = f->pc;
    const auto slot = [&](std::int32_t i) -> const Slot& { return (i < 0 ? k : r)[i]; };
    // Inlined, so that `pc` can live in a register: a call would need its address.
    const auto jump = [&](std::uint32_t edge_index) __attribute__((always_inline)) {
      const Edge& edge = function.edges[edge_index];
      if (edge.moves != 0) do_moves(function, edge, r, k);
      if (follows) [[unlikely]]
        core.recorder.add_jump(function.id, pc, edge.target);
      pc = edge.target;
    };
    bool reload = false;
    while (!reload) {
      if (left == 0) [[unlikely]] {
        if (gate.in_section() || room <= budget) account.cap_reached("instructions");
        f->pc = pc;  // the instruction that was run last is not run again
        t.op = OpKind::Continue;
        t.touch_count = 0;
        return true;
      }
      --left;
      f->pc = pc;
      const Code& c = code[pc];
      switch (c.op) {
        case Op::Nop: ++pc; break;
        case Op::Fence:  // sequential consistency needs no fences; clocks may want to know
          core.recorder.add(EventKind::Fence, 0);
          ++pc;
          break;
        case Op::Alloca: {
          const Shape& shape = decoded.shapes[c.extra];
          const Slot& count = slot(c.a);
          if (c.b == 0 && count.undef != 0) account.undefined("the size of an array is not initialised");
          const std::uint64_t n = c.b != 0 ? 1 : count.bits;
          if (n != 0 && shape.size > options.max_heap_bytes / n) account.cap_reached("stack");
          r[c.dst] = frames.stack_object(t, shape.size * n, std::max<std::uint64_t>(shape.align, 1ULL << c.detail));
          ++pc;
          break;
        }
        case Op::Load:
        case Op::LoadPointer: {
          const Slot& pointer = slot(c.a);
          if (switching && gate.stop_before_access(pointer, c.detail, false)) return ++left, true;
          Object& object = space.resolve(pointer, c.detail, false);
          const std::uint64_t offset = (pointer.bits & memory.address_mask()) - object.base;
          std::uint64_t bits = 0, undef = 0;
          switch (c.detail) {  // constant sizes: each becomes one move
            case 1: std::memcpy(&bits, object.data + offset, 1), std::memcpy(&undef, object.undef + offset, 1); break;
            case 4: std::memcpy(&bits, object.data + offset, 4), std::memcpy(&undef, object.undef + offset, 4); break;
            case 8: std::memcpy(&bits, object.data + offset, 8), std::memcpy(&undef, object.undef + offset, 8); break;
            default:
              std::memcpy(&bits, object.data + offset, c.detail);
              std::memcpy(&undef, object.undef + offset, c.detail);
          }
          const std::uint64_t mask = mask_of(c.width);
          if (core.recorder.is_recorded(object))
            core.recorder.add_access(object, object.base + offset, c.detail, false, false);
          Slot& out = r[c.dst];
          out = {bits & mask, undef & mask, 0, 0};
          if (c.op == Op::LoadPointer) {
            if (out.undef == 0) out.object = memory.find(out.bits);
          } else if (object.has_address || object.rounded_end != 0) {
            out.doubt = memory.doubt_in(object, offset, c.detail);
          }
          ++pc;
          break;
        }
        case Op::Store:
        case Op::StorePointer: {
          const Slot& pointer = slot(c.b);
          if (switching && gate.stop_before_access(pointer, c.detail, true)) return ++left, true;
          Object& object = space.resolve(pointer, c.detail, true);
          const std::uint64_t offset = (pointer.bits & memory.address_mask()) - object.base;
          if (core.log.is_on()) memory.log_bytes(memory.id_of(object), offset, c.detail);
          const Slot& value = slot(c.a);
          if (c.op == Op::StorePointer || object.has_address || (value.object | value.doubt) != 0)
            space.look_at_store(object, offset, c.detail, value);
          switch (c.detail) {
            case 1:
              std::memcpy(object.data + offset, &value.bits, 1), std::memcpy(object.undef + offset, &value.undef, 1);
              break;
            case 4:
              std::memcpy(object.data + offset, &value.bits, 4), std::memcpy(object.undef + offset, &value.undef, 4);
              break;
            case 8:
              std::memcpy(object.data + offset, &value.bits, 8), std::memcpy(object.undef + offset, &value.undef, 8);
              break;
            default:
              std::memcpy(object.data + offset, &value.bits, c.detail);
              std::memcpy(object.undef + offset, &value.undef, c.detail);
          }
          if (value.object != 0) memory.mark_shared(value.object);
          if (core.recorder.is_recorded(object))
            core.recorder.add_access(object, object.base + offset, c.detail, true, false);
          ++pc;
          break;
        }
        case Op::LoadMany: {
          const Slot pointer = slot(c.a);
          const Shape& shape = decoded.shapes[c.extra];
          if (switching && gate.stop_before_access(pointer, shape.size, false)) return ++left, true;
          space.load_many(pointer, shape, r + c.dst, false);
          ++pc;
          break;
        }
        case Op::StoreMany: {
          const Shape& shape = decoded.shapes[c.extra];
          if (switching && gate.stop_before_access(slot(c.b), shape.size, true)) return ++left, true;
          space.store_many(slot(c.b), shape, &slot(c.a), false);
          ++pc;
          break;
        }
        case Op::Gep0: {
          const Slot& base = slot(c.a);
          r[c.dst] = {(base.bits + static_cast<std::uint64_t>(function.geps[c.extra].constant)) & memory.address_mask(),
                      base.undef, base.object, 0};
          ++pc;
          break;
        }
        case Op::Gep1:
        case Op::GepMany: {
          const GepCode& gep = function.geps[c.extra];
          const Slot& base = slot(c.a);
          Slot out{base.bits, base.undef, base.object, 0};
          std::int64_t distance = gep.constant, step = 0;
          bool wraps = false;
          for (const Term& term : gep.terms) {
            const Slot& index = slot(term.index);
            wraps |= __builtin_mul_overflow(sign_extend(index.bits, term.width), term.stride, &step);
            wraps |= __builtin_add_overflow(distance, step, &distance);
            if (index.undef != 0) out.undef = ~0ULL;
            compute_with(account, index);
          }
          wraps |= distance > gep.most || distance < ~gep.most;
          if (wraps && gep.most != 0) out.undef = ~0ULL;
          out.bits = (out.bits + static_cast<std::uint64_t>(distance)) & memory.address_mask();
          r[c.dst] = out;
          ++pc;
          break;
        }
        case Op::MemCopy: {
          const Slot& length = slot(c.c);
          if (length.undef != 0) account.undefined("a length is not initialised");
          compute_with(account, length);
          if (switching && length.bits != 0 && !gate.in_section()) {
            const bool may = gate.is_granted();
            if (gate.stop_before_access(slot(c.a), length.bits, true)) {
              const Slot& from = slot(c.b);
              t.touches[t.touch_count++] = {from.bits & memory.address_mask(), static_cast<std::uint32_t>(length.bits),
                                            false, false, false};
              return ++left, true;
            }
            if (!may && gate.stop_before_access(slot(c.b), length.bits, false)) return ++left, true;
          }
          if (c.detail == 0) space.check_overlap(slot(c.a), slot(c.b), length.bits);
          space.copy_bytes(slot(c.a), slot(c.b), length.bits);
          ++pc;
          break;
        }
        case Op::MemSet: {
          const Slot& length = slot(c.c);
          if (length.undef != 0) account.undefined("a length is not initialised");
          if (switching && length.bits != 0 && gate.stop_before_access(slot(c.a), length.bits, true))
            return ++left, true;
          space.set_bytes(slot(c.a), slot(c.b), length.bits);
          ++pc;
          break;
        }
        case Op::AtomicLoad:
        case Op::AtomicStore:
        case Op::CmpXchg:
        case Op::AtomicRmw:
          if (!atomic_access(core, c, r, k)) return ++left, true;
          ++pc;
          break;
        case Op::Copy:
          for (std::int32_t i = 0; i < static_cast<std::int32_t>(c.extra); ++i) {
            r[c.dst + i] = (&slot(c.a))[i];
            if (c.detail == 1) {  // frozen
              account.look_at_unknown(r[c.dst + i].undef);
              r[c.dst + i].undef = 0;
            }
          }
          ++pc;
          break;
        case Op::Select:
        case Op::SelectMany: {
          const Slot condition = slot(c.a);
          const Slot* from = &slot((condition.bits & 1) != 0 ? c.b : c.c);
          for (std::int32_t i = 0; i < static_cast<std::int32_t>(c.extra); ++i) {
            r[c.dst + i] = from[i];
            if (condition.undef != 0) r[c.dst + i].undef = ~0ULL;
          }
          ++pc;
          break;
        }
        case Op::Add: {
          const Slot &a = slot(c.a), &b = slot(c.b);
          if ((a.undef | b.undef) == 0 && (a.doubt | b.doubt | (c.flags & Instruction::no_signed_wrap)) == 0)
              [[likely]] {
            r[c.dst] = {(a.bits + b.bits) & mask_of(c.width), 0, 0, 0};
            ++pc;
            break;
          }
          [[fallthrough]];
        }
        case Op::Sub:
        case Op::Mul:
        case Op::UDiv:
        case Op::SDiv:
        case Op::URem:
        case Op::SRem:
        case Op::Shl:
        case Op::LShr:
        case Op::AShr:
        case Op::And:
        case Op::Or:
        case Op::Xor: {
          Trouble trouble = Trouble::None;
          const Slot &a = slot(c.a), &b = slot(c.b);
          if ((a.doubt | b.doubt) != 0) [[unlikely]]
            compute_with_both(core, c, a, b);
          r[c.dst] = binary_slots(static_cast<BinaryOp>(c.detail), a, b, c.width, c.flags, trouble);
          if (trouble != Trouble::None) [[unlikely]]
            in_trouble(core, trouble);
          ++pc;
          break;
        }
        case Op::FloatBinary:
          float_binary(static_cast<BinaryOp>(c.detail), &slot(c.a), &slot(c.b), static_cast<FloatFormat>(c.c),
                       r + c.dst, image.platform.rules);
          r[c.dst].doubt = doubt::rounding;
          ++pc;
          break;
        case Op::WideBinary: {
          Trouble trouble = Trouble::None;
          compute_with(account, slot(c.a));
          compute_with(account, slot(c.b));
          wide_binary(static_cast<BinaryOp>(c.detail), &slot(c.a), &slot(c.b), c.width, r + c.dst, trouble);
          if (trouble != Trouble::None) in_trouble(core, trouble);
          ++pc;
          break;
        }
        case Op::VectorBinary:
        case Op::VectorCompare:
        case Op::VectorCast:
          vector_operation(core, c, r, k);
          ++pc;
          break;
        case Op::FNeg: {
          const Slot* from = &slot(c.a);
          const std::uint32_t high = c.width > 64 ? 1 : 0;
          Slot out[2] = {from[0], from[high]};
          out[high].bits ^= 1ULL << ((c.width - 1) % 64);
          r[c.dst] = out[0];
          if (high != 0) r[c.dst + 1] = out[1];
          ++pc;
          break;
        }
        case Op::Eq:
        case Op::Ne:
        case Op::Ugt:
        case Op::Uge:
        case Op::Ult:
        case Op::Ule:
        case Op::Sgt:
        case Op::Sge:
        case Op::Slt:
        case Op::Sle:
          if ((c.flags | slot(c.a).doubt | slot(c.b).doubt) != 0) [[unlikely]]
            compare_with_doubt(core, static_cast<Predicate>(c.detail), slot(c.a), slot(c.b), c.width, c.flags != 0);
          r[c.dst] = compare_slots(static_cast<Predicate>(c.detail), slot(c.a), slot(c.b), c.width);
          ++pc;
          break;
        case Op::FloatCompare:
        case Op::WideCompare: {
          const Slot *a = &slot(c.a), *b = &slot(c.b);
          const auto predicate = static_cast<Predicate>(c.detail);
          std::uint64_t undef = a->undef | b->undef;
          if (c.op == Op::WideCompare) {
            compute_with(account, *a);
            compute_with(account, *b);
          }
          if (c.width > 64) undef |= a[1].undef | b[1].undef;
          const bool result = c.op == Op::FloatCompare ? float_holds(predicate, a, b, static_cast<FloatFormat>(c.c))
                                                       : wide_holds(predicate, a, b, c.width);
          r[c.dst] = {result ? 1ULL : 0ULL, undef != 0 ? 1ULL : 0ULL, 0, 0};
          ++pc;
          break;
        }
        case Op::Trunc: {
          const Slot& a = slot(c.a);
          compute_with(account, a);
          const std::uint64_t mask = mask_of(static_cast<std::uint32_t>(c.c));
          r[c.dst] = {a.bits & mask, a.undef & mask, 0, 0};
          ++pc;
          break;
        }
        case Op::ZExt: {
          const Slot& a = slot(c.a);
          compute_with(account, a);
          r[c.dst] = {a.bits, a.undef, 0, 0};
          ++pc;
          break;
        }
        case Op::SExt: {
          const Slot& a = slot(c.a);
          compute_with(account, a);
          const std::uint64_t mask = mask_of(static_cast<std::uint32_t>(c.c));
          r[c.dst] = {static_cast<std::uint64_t>(sign_extend(a.bits, c.width)) & mask,
                      a.undef == 0 ? 0 : static_cast<std::uint64_t>(sign_extend(a.undef, c.width)) & mask, 0, 0};
          ++pc;
          break;
        }
        case Op::PtrToInt: {
          const Slot& a = slot(c.a);
          if (a.object != 0) memory.mark_shared(a.object);
          const std::uint64_t mask = mask_of(static_cast<std::uint32_t>(c.c));
          const bool is_address = a.object != 0 || memory.is_address(a.bits);
          r[c.dst] = {a.bits & mask, a.undef & mask, 0, is_address ? doubt::address : doubt::none};
          ++pc;
          break;
        }
        case Op::IntToPtr: {
          const Slot& a = slot(c.a);
          const std::uint64_t address = a.bits & memory.address_mask();
          r[c.dst] = {address, a.undef, a.undef == 0 ? memory.find(address) : 0, 0};
          ++pc;
          break;
        }
        case Op::CastAny: {
          const NumberType from = c.extra == TypeId().index() ? NumberType{image.program.layout.pointer_bits}
                                                              : decoded.shapes[c.extra].number();
          const NumberType to = decoded.shapes[static_cast<std::size_t>(c.b)].number();
          const std::uint32_t old = slot(c.a).doubt;
          if (old != doubt::rounding) compute_with(account, slot(c.a));
          cast_number({static_cast<CastOp>(c.detail), from, to}, &slot(c.a), r + c.dst, image.platform.rules);
          r[c.dst].doubt = old == doubt::rounding ? old : doubt::none;
          ++pc;
          break;
        }
        case Op::Bitcast:
          bitcast(core, c, r, k);
          ++pc;
          break;
        case Op::InsertValue:
        case Op::ExtractElement:
        case Op::InsertElement:
        case Op::Shuffle:
          move_elements(core, function, c, r, k);
          ++pc;
          break;
        case Op::LandingPad:
          landing_pad(core, t, c, r + c.dst);
          ++pc;
          break;
        case Op::Call: {
          const CallCode& site = function.calls[c.extra];
          const FunctionCode& callee = decoded.functions[site.callee.index()];
          if (callee.is_section && !core.sections.begin()) return ++left, true;
          frames.call(t, callee, site);
          reload = true;
          break;
        }
        case Op::CallIndirect: {
          const CallCode& site = function.calls[c.extra];
          const FunctionCode& callee = frames.function_at(slot(site.target));
          if (!callee.has_body) {
            if (!call_external(core, t, site, callee.id)) return ++left, true;
          } else {
            if (callee.is_section && !core.sections.begin()) return ++left, true;
            frames.call(t, callee, site);
          }
          reload = true;
          break;
        }
        case Op::CallExternal: {
          const CallCode& site = function.calls[c.extra];
          if (!call_external(core, t, site, site.callee)) return ++left, true;
          reload = true;
          break;
        }
        case Op::Asm:
          run_assembly(core, function, c);
          ++pc;
          break;
        case Op::Return: {
          if (switching && stop_before_return(core, t)) return ++left, true;
          const bool ends_section = f->ends_section;
          frames.return_from(t, &slot(c.a), c.extra);
          if (ends_section) core.sections.end();
          reload = true;
          break;
        }
        case Op::Branch: jump(c.extra); break;
        case Op::CondBranch: {
          const Slot& condition = slot(c.a);
          std::uint64_t truth = condition.bits;
          if (condition.undef != 0) [[unlikely]]
            truth = core.choices.uninitialised_branch(1);
          jump(static_cast<std::uint32_t>((truth & 1) != 0 ? c.b : c.c));
          break;
        }
        case Op::Switch: {
          const Slot& value = slot(c.a);
          compute_with(account, value);
          jump(function.switches[c.extra].edge_for(value.undef == 0 ? value.bits
                                                                    : core.choices.uninitialised_branch(64)));
          break;
        }
        case Op::Resume:
          unwind(core, t);
          reload = true;
          break;
        case Op::Unreachable: account.undefined("code that cannot be reached is reached");
        case Op::Unsupported: {
          const Function& where = image.program.functions[function.id];
          const Instruction& i = where.instructions[pc];
          account.unsupported("instruction" + (i.opcode == Opcode::Unsupported
                                                   ? ": " + std::string(where.texts[i.extra])
                                                   : std::string()));
        }
      }
      if (gate.in_section()) [[unlikely]]
        core.sections.check_length(done + (limit - left));
    }
    if (!account.is_running()) throw RunOver{};
    if (t.status == ThreadStatus::Finished) return false;
  }
}

}  // namespace heddle::interpret
