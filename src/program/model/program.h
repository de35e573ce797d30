// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program: the model of the code that everything behind the front end works on. It knows nothing of LLVM.
//
//   int g;                           @g = global i32, 4 bytes, source type int
//   void f(int *p) { g = *p; }       f: %0 = parameter p (source type int *)
//                                       %1 = load i32, %0
//                                       store %1, @g
//                                       return
//
// Values are in SSA form and function-local: parameters first, then every instruction in order, so the value of
// instruction i is ValueId(parameters + i). Constant expressions do not exist: the front end turned those inside
// functions into instructions and those in initialisers into bytes and relocations. Semantics are those of the machine
// types and of `layout`; source types (from debug information) only give names.
//
// Names and lists are views into `arena`, which the Program owns and takes along when it is moved; a Program cannot be
// copied. Who builds one fills vectors (function_body.h) and copies them into the arena when they are complete. A
// linked Program takes 60 to 100 bytes per instruction, all tables included.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/content_hash.h"
#include "base/id.h"
#include "base/table.h"
#include "program/model/instruction.h"
#include "program/model/lock_annotation.h"
#include "program/model/type.h"

namespace heddle {

struct DataLayout {
  std::uint32_t pointer_bits = 64;
  bool little_endian = true;
  std::string triple;
};

struct File {
  std::string_view path;  ///< as the compiler was given it
};

struct Location {
  FileId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  LocationId inlined_at;  ///< none unless the code was inlined; an earlier row
};

struct Constant {
  enum class Kind : std::uint8_t { Int, Float, Null, Undef, Poison, Zero, Aggregate };
  Kind kind = Kind::Undef;
  TypeId type;
  std::uint64_t bits = 0;               ///< Int up to 64 bits (zero-extended) and Float up to 64
  std::span<const std::uint64_t> wide;  ///< Int and Float beyond 64 bits: little-endian words
  std::span<const Operand> elements;    ///< Aggregate: earlier constants, globals or functions
};

/// A word of an initialiser that holds an address.
struct Relocation {
  std::uint64_t offset = 0;  ///< in bytes from the start of the global
  std::uint32_t size = 0;    ///< bytes it occupies
  Operand target;            ///< Global or Function
  std::int64_t addend = 0;
};

enum class Linkage : std::uint8_t { External, Internal, Weak, LinkOnce, Common, Declaration };

struct Global {
  std::string_view name;  ///< symbol; unique in the Program (internal ones get a suffix when linked)
  std::string_view source_name;
  TypeId type;         ///< machine type
  TypeId source_type;  ///< none without debug information
  std::uint64_t size = 0;
  std::uint64_t align = 1;
  Linkage linkage = Linkage::External;
  bool is_constant = false;
  bool is_thread_local = false;
  bool may_be_missing = false;  ///< a weak declaration: its address may be null
  LocationId location;
  std::string_view section;             ///< where the source puts it; empty: nowhere in particular
  std::span<const std::uint8_t> bytes;  ///< the initial image; shorter than `size`: the rest is zero
  std::span<const Relocation> relocations;

  [[nodiscard]] bool is_declaration() const { return linkage == Linkage::Declaration; }
  /// What the source calls it, or the symbol.
  [[nodiscard]] std::string_view shown_name() const { return source_name.empty() ? name : source_name; }
};

/// What the source calls a value or the memory a value points to. One value may carry several.
struct ValueName {
  std::string_view name;
  ValueId value;
  TypeId source_type;         ///< of the variable
  bool names_memory = false;  ///< the value is the variable's address (an alloca), not its content
};

struct Block {
  std::string_view name;
  std::uint32_t first = 0;  ///< instruction index
  std::uint32_t count = 0;
};

struct Function {
  std::string_view name;         ///< symbol
  std::string_view source_name;  ///< `list_add`, `Stack<int>::push`
  TypeId type;                   ///< machine function type
  TypeId source_type;            ///< source function type, none without debug information
  Linkage linkage = Linkage::External;
  bool is_vararg = false;
  bool no_return = false;
  bool no_unwind = false;
  bool is_intrinsic = false;  ///< llvm.*
  bool is_address_taken = false;
  bool may_be_missing = false;  ///< a weak declaration: its address may be null
  LocationId location;
  std::string_view interrupt;  ///< the attribute of an interrupt handler: `interrupt`, `interrupt(IRQ)`, `signal`
  ContentHash hash;            ///< of the body; does not change when unrelated lines move
  std::span<const TypeId> parameters;  ///< machine types
  std::span<const ByValue> byval;      ///< parameters passed as a private copy
  std::span<const Block> blocks;
  std::span<const Instruction> instructions;
  std::span<const Operand> operands;
  std::span<const GepInfo> geps;
  std::span<const CallInfo> calls;
  std::span<const std::span<const std::int32_t>> indices;
  std::span<const std::string_view> texts;  ///< what an Unsupported instruction was
  std::span<const ValueName> names;         ///< sorted by value

  [[nodiscard]] bool has_body() const { return !blocks.empty(); }
  /// What the source calls it, or the symbol.
  [[nodiscard]] std::string_view shown_name() const { return source_name.empty() ? name : source_name; }
  [[nodiscard]] std::size_t value_count() const { return parameters.size() + instructions.size(); }
  [[nodiscard]] ValueId result_of(std::size_t instruction) const { return ValueId(parameters.size() + instruction); }
  [[nodiscard]] bool is_parameter(ValueId v) const { return v.index() < parameters.size(); }
  /// The instruction that defines `v`; v must not be a parameter.
  [[nodiscard]] std::size_t definition(ValueId v) const { return v.index() - parameters.size(); }
  [[nodiscard]] std::span<const Operand> operands_of(const Instruction& i) const {
    return operands.subspan(i.first_operand, i.operand_count);
  }
  /// What a call passes: its operands without the callee and without the two blocks that an invoke goes to.
  [[nodiscard]] std::span<const Operand> arguments_of(const Instruction& call) const {
    const std::size_t others = call.opcode == Opcode::Invoke ? 3 : 1;
    return operands.subspan(call.first_operand + 1, call.operand_count - others);
  }
  [[nodiscard]] std::span<const Instruction> instructions_of(const Block& b) const {
    return instructions.subspan(b.first, b.count);
  }
  /// Blocks the terminator of `b` may go to, in operand order; the same block may stand twice.
  [[nodiscard]] std::vector<BlockId> successors(BlockId b) const;
};

/// A symbol that stands for another. In a unit only: linking resolves them.
struct Alias {
  std::string_view name;
  Linkage linkage = Linkage::External;
  Operand target;           ///< Global or Function
  std::int64_t addend = 0;  ///< bytes into the target
};

/// A function whose source text was read and whose body the compiler left out: not "no effect", but an error, unless
/// another unit has the body. Linking keeps those that no unit has.
struct MissingBody {
  std::string_view symbol;
  std::string_view place;  ///< file:line:column of the source text
};

struct Program {
  Arena arena;  ///< owns what the views in the tables point to
  DataLayout layout;
  Table<Type> types;
  Table<Constant> constants;
  Table<Global> globals;
  Table<Function> functions;
  Table<File> files;
  Table<Location> locations;
  std::vector<FunctionId> constructors;  ///< run before main, in order
  std::vector<FunctionId> destructors;
  std::vector<std::uint32_t> constructor_priorities;  ///< one per constructor; lower ones run first
  std::vector<std::uint32_t> destructor_priorities;   ///< higher ones run first
  std::vector<Alias> aliases;
  std::vector<MissingBody> missing_bodies;
  /// What belongs to the program and is not in these tables: assembly, symbols that the linker makes. For people.
  std::vector<std::string_view> unseen;
  std::vector<LockAnnotation> annotations;
  std::vector<std::string> units;  ///< what was read, in order

  [[nodiscard]] FunctionId find_function(std::string_view name) const;
  [[nodiscard]] GlobalId find_global(std::string_view name) const;
  [[nodiscard]] std::string where(LocationId id) const;  ///< `file:line:column`, or `<unknown>`
  /// Builds the name look-ups; call once after functions and globals are complete.
  void index_names();

 private:
  std::vector<FunctionId> functions_by_name_;  // sorted by name
  std::vector<GlobalId> globals_by_name_;
};

}  // namespace heddle
