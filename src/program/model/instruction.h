// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/id.h"
#include "program/model/type.h"

namespace heddle {

struct Value;  // parameters and instruction results of one function
struct Block;
struct Function;
struct Global;
struct Constant;
struct Location;
struct File;
using ValueId = Id<Value>;  ///< function-local: parameters first, then one per instruction in order
using BlockId = Id<Block>;  ///< function-local; block 0 is the entry
using FunctionId = Id<Function>;
using GlobalId = Id<Global>;
using ConstantId = Id<Constant>;
using LocationId = Id<Location>;
using FileId = Id<File>;

/// What an instruction uses. 32 bits: three of kind, the rest an index.
class Operand {
 public:
  enum class Kind : std::uint8_t { None, Value, Constant, Global, Function, Block, Asm };

  static constexpr std::uint32_t largest_index = 0x1fffffffU;

  constexpr Operand() = default;
  static constexpr Operand value(ValueId id) { return {Kind::Value, id.index()}; }
  static constexpr Operand constant(ConstantId id) { return {Kind::Constant, id.index()}; }
  static constexpr Operand global(GlobalId id) { return {Kind::Global, id.index()}; }
  static constexpr Operand function(FunctionId id) { return {Kind::Function, id.index()}; }
  static constexpr Operand block(BlockId id) { return {Kind::Block, id.index()}; }
  static constexpr Operand inline_asm() { return {Kind::Asm, 0}; }

  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 29); }
  [[nodiscard]] constexpr std::uint32_t index() const { return bits_ & largest_index; }
  [[nodiscard]] constexpr bool is_value() const { return kind() == Kind::Value; }
  [[nodiscard]] constexpr bool is_constant() const { return kind() == Kind::Constant; }
  [[nodiscard]] constexpr bool is_global() const { return kind() == Kind::Global; }
  [[nodiscard]] constexpr bool is_function() const { return kind() == Kind::Function; }
  [[nodiscard]] constexpr bool is_block() const { return kind() == Kind::Block; }
  [[nodiscard]] constexpr ValueId as_value() const { return ValueId(index()); }
  [[nodiscard]] constexpr ConstantId as_constant() const { return ConstantId(index()); }
  [[nodiscard]] constexpr GlobalId as_global() const { return GlobalId(index()); }
  [[nodiscard]] constexpr FunctionId as_function() const { return FunctionId(index()); }
  [[nodiscard]] constexpr BlockId as_block() const { return BlockId(index()); }
  friend constexpr bool operator==(Operand, Operand) = default;

 private:
  constexpr Operand(Kind kind, std::uint32_t index) : bits_((static_cast<std::uint32_t>(kind) << 29) | index) {}
  std::uint32_t bits_ = 0;
};

/// Operands in the order given. The last column of a terminator's operands are the blocks it may go to.
enum class Opcode : std::uint8_t {
  // memory
  Alloca,     ///< count;               access_type = the allocated type; detail = log2 of the alignment
  Load,       ///< address;             access_type = type
  Store,      ///< value, address;      access_type = the value's type
  Gep,        ///< base, index…;        see GepInfo
  MemCopy,    ///< destination, source, length; detail 1 = may overlap (memmove)
  MemSet,     ///< destination, byte, length
  CmpXchg,    ///< address, expected, desired; type {T, i1}; order = success, detail = failure order
  AtomicRmw,  ///< address, value;      detail = RmwOp
  Fence,
  // values
  Phi,             ///< (value, block)…
  Select,          ///< condition, if true, if false
  Binary,          ///< left, right;         detail = BinaryOp
  FNeg,            ///< value
  Compare,         ///< left, right;         detail = Predicate
  Cast,            ///< value;               detail = CastOp
  Freeze,          ///< value
  ExtractValue,    ///< aggregate;      see indices
  InsertValue,     ///< aggregate, value; see indices
  ExtractElement,  ///< vector, index
  InsertElement,   ///< vector, value, index
  ShuffleVector,   ///< left, right;    indices = the mask, -1 for undefined
  VaArg,           ///< address of the va_list
  LandingPad,
  // calls
  Call,    ///< callee, argument…    see CallInfo
  Invoke,  ///< callee, argument…, normal block, unwind block
  // terminators
  Return,          ///< value, if any
  Branch,          ///< block
  CondBranch,      ///< condition, block if true, block if false
  Switch,          ///< value, default block, (constant, block)…
  IndirectBranch,  ///< address, block…
  Resume,          ///< value
  Unreachable,
  // what the front end could not lower: any use is a reason not to decide
  Unsupported,
};

enum class BinaryOp : std::uint8_t {
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
  Xor,
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRem
};
enum class Predicate : std::uint8_t {
  Eq,
  Ne,
  Ugt,
  Uge,
  Ult,
  Ule,
  Sgt,
  Sge,
  Slt,
  Sle,
  FFalse,
  FOeq,
  FOgt,
  FOge,
  FOlt,
  FOle,
  FOne,
  FOrd,
  FUno,
  FUeq,
  FUgt,
  FUge,
  FUlt,
  FUle,
  FUne,
  FTrue,
};
/// Holds of two integers where the predicate does not. Of floats: nothing is asked, for two may not be comparable.
constexpr Predicate opposite(Predicate predicate) {
  switch (predicate) {
    case Predicate::Eq: return Predicate::Ne;
    case Predicate::Ne: return Predicate::Eq;
    case Predicate::Ugt: return Predicate::Ule;
    case Predicate::Uge: return Predicate::Ult;
    case Predicate::Ult: return Predicate::Uge;
    case Predicate::Ule: return Predicate::Ugt;
    case Predicate::Sgt: return Predicate::Sle;
    case Predicate::Sge: return Predicate::Slt;
    case Predicate::Slt: return Predicate::Sge;
    case Predicate::Sle: return Predicate::Sgt;
    default: return predicate;
  }
}
/// Of two integers, of 64 bits with a sign; unsigned predicates compare their bits. Predicates of floats: true.
constexpr bool holds(Predicate predicate, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (predicate) {
    case Predicate::Eq: return a == b;
    case Predicate::Ne: return a != b;
    case Predicate::Slt: return a < b;
    case Predicate::Sle: return a <= b;
    case Predicate::Sgt: return a > b;
    case Predicate::Sge: return a >= b;
    case Predicate::Ult: return x < y;
    case Predicate::Ule: return x <= y;
    case Predicate::Ugt: return x > y;
    case Predicate::Uge: return x >= y;
    default: return true;
  }
}
enum class CastOp : std::uint8_t {
  Trunc,
  ZExt,
  SExt,
  FpTrunc,
  FpExt,
  FpToUi,
  FpToSi,
  UiToFp,
  SiToFp,
  PtrToInt,
  IntToPtr,
  Bitcast,
  AddrSpaceCast
};
enum class RmwOp : std::uint8_t {
  Xchg,
  Add,
  Sub,
  And,
  Nand,
  Or,
  Xor,
  Max,
  Min,
  UMax,
  UMin,
  FAdd,
  FSub,
  FMax,
  FMin,
  Other
};
enum class AtomicOrder : std::uint8_t { NotAtomic, Unordered, Monotonic, Acquire, Release, AcqRel, SeqCst };

/// address = base + constant_offset + Σ index[k] · strides[k], in the width of a pointer, wrapping.
struct GepInfo {
  TypeId source_type;  ///< machine type the arithmetic was written in; `i8` after lowering to bytes
  std::int64_t constant_offset = 0;
  std::span<const std::int64_t> strides;  ///< one for each index operand; constant indices are in constant_offset
};

/// A parameter or argument that is passed as a private copy, or on the stack at an alignment its type does not have.
struct ByValue {
  std::uint32_t index = 0;
  std::uint64_t bytes = 0;  ///< of the copy; 0: the value itself is passed
  std::uint64_t align = 0;  ///< bytes; 0: as the target passes arguments
};

struct CallInfo {
  TypeId function_type;
  bool no_return = false;
  bool no_unwind = false;
  std::string_view asm_text;       ///< inline asm: template, then '|', then constraints
  std::span<const ByValue> byval;  ///< arguments
};

struct Instruction {
  static constexpr std::uint8_t is_volatile = 1, no_unsigned_wrap = 2, no_signed_wrap = 4, exact = 8, in_bounds = 16,
                                weak = 32;

  Opcode opcode = Opcode::Unsupported;
  std::uint8_t detail = 0;
  std::uint8_t flags = 0;
  AtomicOrder order = AtomicOrder::NotAtomic;
  TypeId type;         ///< of the result; Void if none
  TypeId access_type;  ///< Alloca, Load, Store, atomics: what lies at the address
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
  std::uint32_t extra =
      0;  ///< Gep: geps[extra], Call/Invoke: calls[extra], Extract/Insert/Shuffle: indices[extra]; Unsupported: texts
  LocationId location;

  [[nodiscard]] bool has_flag(std::uint8_t flag) const { return (flags & flag) != 0; }
  [[nodiscard]] bool is_atomic() const { return order != AtomicOrder::NotAtomic; }
  /// A read that the source may have written with memory_order_consume: the front end makes it relaxed and volatile.
  [[nodiscard]] bool may_consume() const {
    const bool reads = opcode == Opcode::Load || opcode == Opcode::AtomicRmw || opcode == Opcode::CmpXchg;
    const bool fails_relaxed = opcode == Opcode::CmpXchg && detail == static_cast<std::uint8_t>(AtomicOrder::Monotonic);
    return reads && has_flag(is_volatile) && (order == AtomicOrder::Monotonic || fails_relaxed);
  }
  [[nodiscard]] bool is_call() const { return opcode == Opcode::Call || opcode == Opcode::Invoke; }
  [[nodiscard]] bool is_terminator() const {
    return opcode == Opcode::Invoke || (opcode >= Opcode::Return && opcode <= Opcode::Unreachable);
  }
  [[nodiscard]] BinaryOp binary_op() const { return static_cast<BinaryOp>(detail); }
  [[nodiscard]] Predicate predicate() const { return static_cast<Predicate>(detail); }
  [[nodiscard]] CastOp cast_op() const { return static_cast<CastOp>(detail); }
  [[nodiscard]] RmwOp rmw_op() const { return static_cast<RmwOp>(detail); }
};

}  // namespace heddle
