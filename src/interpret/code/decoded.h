// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions in the form the machine runs: operands are slot numbers, types are widths, calls know their callee. Code
// keeps the numbering of the Program, so a program counter is an instruction index; phis are moves on the edges and
// never run.
//
// A scalar up to 64 bits is one slot, i128, x86_fp80 and fp128 are two, an aggregate is its leaves in order. A slot
// number below zero is a constant (counted from the end of the constant pool), else it is relative to the frame.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "interpret/code/operation.h"
#include "numeric/float_format.h"
#include "program/model/program.h"

namespace heddle::interpret {

/// What a number tells that another run of the same program need not tell: machine/doubts.h.
namespace doubt {
enum : std::uint32_t {
  none,
  address,    ///< the address of an object, or the handle of a thread
  magnitude,  ///< of the result of a comparison (strcmp) only the sign is told
  rounding,   ///< the result of real arithmetic: compilers may round it later, or not at all
};
}

/// One scalar. `undef` has a bit for each bit that was never initialised; `object` is what a pointer points into, plus
/// nothing: 0 is "not known". `doubt` is that of a number; pointers have none.
struct Slot {
  std::uint64_t bits = 0;
  std::uint64_t undef = 0;
  std::uint32_t object = 0;
  std::uint32_t doubt = doubt::none;
};

/// A pointer so many bytes further on, into the same object.
[[nodiscard]] inline Slot plus(const Slot& pointer, std::uint64_t offset) {
  return {pointer.bits + offset, 0, pointer.object, 0};
}

enum class Op : std::uint8_t {
  Nop,
  Alloca,
  Load,
  LoadPointer,
  LoadMany,
  Store,
  StorePointer,
  StoreMany,
  Gep0,
  Gep1,
  GepMany,
  MemCopy,
  MemSet,
  AtomicLoad,
  AtomicStore,
  CmpXchg,
  AtomicRmw,
  Fence,
  Copy,
  Select,
  SelectMany,
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,  // order of BinaryOp
  FloatBinary,
  WideBinary,
  VectorBinary,
  FNeg,
  Eq,
  Ne,
  Ugt,
  Uge,
  Ult,
  Ule,
  Sgt,
  Sge,
  Slt,
  Sle,  // order of Predicate
  FloatCompare,
  WideCompare,
  VectorCompare,
  Trunc,
  ZExt,
  SExt,
  PtrToInt,
  IntToPtr,
  CastAny,
  VectorCast,
  Bitcast,
  InsertValue,
  ExtractElement,
  InsertElement,
  Shuffle,
  LandingPad,
  Call,
  CallExternal,
  CallIndirect,
  Asm,
  Return,
  Branch,
  CondBranch,
  Switch,
  Resume,
  Unreachable,
  Unsupported,
};

/// Meaning of a, b, c, extra depends on `op`; see decode.cpp.
struct Code {
  static constexpr std::uint8_t of_pointers = 1;  ///< flag of a comparison

  Op op = Op::Nop;
  std::uint8_t width = 0;   ///< bits of the operation, at most 64 unless the op is wide
  std::uint8_t detail = 0;  ///< bytes of an access; BinaryOp, Predicate, CastOp
  std::uint8_t flags = 0;
  std::int32_t dst = 0;
  std::int32_t a = 0, b = 0, c = 0;
  std::uint32_t extra = 0;
};

/// A scalar inside a value: where it lies in memory.
struct Leaf {
  std::uint32_t offset = 0;
  std::uint8_t size = 0;
  std::uint8_t bits = 0;
  bool is_pointer = false;
};

using numeric::FloatFormat;

struct NumberType {
  std::uint32_t bits = 0;
  FloatFormat format = FloatFormat::Double;  ///< of a floating point number
};

struct Shape {
  std::uint32_t slots = 0;
  std::uint64_t size = 0;  ///< bytes in memory
  std::uint64_t align = 1;
  bool is_supported = true;
  bool is_float = false;
  bool is_pointer = false;
  TypeKind kind = TypeKind::Void;
  std::uint32_t bits = 0;                    ///< Int and Float
  FloatFormat format = FloatFormat::Double;  ///< Float
  std::vector<Leaf> leaves;
  [[nodiscard]] NumberType number() const { return {bits, format}; }
};

struct Move {
  std::int32_t to = 0, from = 0;
};

struct Edge {
  std::uint32_t target = 0;
  std::uint32_t first_move = 0;
  std::uint32_t moves = 0;
};

struct Term {
  std::int32_t index = 0;
  std::int64_t stride = 0;
  std::uint8_t width = 64;  ///< of the index: sign-extended
};

struct GepCode {
  std::int64_t constant = 0;
  std::vector<Term> terms;
  std::int64_t most = 0;  ///< the distance from the base is at most that; more has no meaning. 0: it wraps around
};

struct CallArgument {
  std::int32_t slot = 0;
  TypeId type;
  std::uint32_t slots = 1;
  std::uint64_t byval = 0;        ///< bytes to copy, 0: none
  std::uint64_t stack_align = 0;  ///< of the copy or the value; 0: the alignment of its type
};

struct CallCode {
  FunctionId callee;        ///< invalid: indirect
  std::int32_t target = 0;  ///< slot of the address of an indirect call
  std::vector<CallArgument> arguments;
  TypeId result;
  std::uint32_t result_slots = 0;
  std::uint32_t normal = 0, unwind = 0;  ///< edges of an invoke
  bool is_invoke = false;
  bool is_used = true;      ///< somebody reads the result
  std::uint32_t fixed = 0;  ///< arguments the function type names; the rest is variadic
};

struct SwitchCode {
  std::uint32_t otherwise = 0;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cases;  ///< sorted by value
  [[nodiscard]] std::uint32_t edge_for(std::uint64_t value) const {
    const auto it = std::ranges::lower_bound(cases, value, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    return it != cases.end() && it->first == value ? it->second : otherwise;
  }
};

/// A thread-local variable's address, put into a slot when the frame is made.
struct ThreadLocalUse {
  std::int32_t slot = 0;
  GlobalId global;
};

struct FunctionCode {
  FunctionId id;
  bool has_body = false;
  bool is_vararg = false;
  bool is_section = false;  ///< whole body is one atomic section
  std::uint32_t parameter_slots = 0;
  std::uint32_t frame_slots = 0;
  std::uint32_t result_slots = 0;
  std::vector<Code> code;
  std::vector<Edge> edges;
  std::vector<Move> moves;
  std::vector<GepCode> geps;
  std::vector<CallCode> calls;
  std::vector<SwitchCode> switches;
  std::vector<std::vector<std::int32_t>> lists;  ///< shuffle masks, landing pad clauses
  std::vector<ThreadLocalUse> thread_locals;
  std::span<const ByValue> byval;
};

struct DecodedProgram {
  std::vector<FunctionCode> functions;  ///< by FunctionId
  std::vector<Slot> constants;          ///< the last is slot -1
  std::vector<Shape> shapes;            ///< by TypeId; source types are empty
  [[nodiscard]] const Slot* constants_end() const { return constants.data() + constants.size(); }
};

/// Where globals and functions lie, as decode needs it for constants.
struct Placement {
  std::vector<Address> function_address;
  std::vector<Address> global_address;  ///< 0 for thread-local ones
  std::vector<std::uint32_t> global_object;
};

std::vector<Shape> shapes_of(const Program& program);
DecodedProgram decode(const Program& program, const std::vector<bool>& is_section, std::vector<Shape> shapes,
                      const Placement& placement);

}  // namespace heddle::interpret
