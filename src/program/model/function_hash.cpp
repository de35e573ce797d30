// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/function_hash.h"

#include <map>

namespace heddle {
namespace {

template <class E>
std::uint64_t number(E e) {
  return static_cast<std::uint64_t>(e);
}

class BodyHasher {
 public:
  explicit BodyHasher(const Program& program) : program_(program) {}
  ContentHash hash(const Function& function);

 private:
  ContentHash type_hash(TypeId id);
  void add(const ContentHash& h) { out_.add(h.high).add(h.low); }
  void add_signature(const Function& f);
  void add_instruction(const Function& f, const Instruction& i);
  void add_extra(const Function& f, const Instruction& i);
  void add_operand(Operand operand, int depth);
  void add_constant(const Constant& c, int depth);
  void add_global(const Global& g, int depth);

  const Program& program_;
  std::map<TypeId, ContentHash> types_;
  Hasher out_;
};

// Machine pointers are opaque, so the recursion ends.
ContentHash BodyHasher::type_hash(TypeId id) {
  if (!id) return {};
  if (const auto known = types_.find(id); known != types_.end()) return known->second;
  const Type& t = program_.types[id];
  Hasher h;
  h.add(number(t.kind)).add(t.size_bits).add(t.value_bits).add(t.align_bits).add(t.count).add(number(t.is_vararg));
  const auto add_part = [&](TypeId part) {
    const ContentHash inner = t.kind == TypeKind::Pointer ? ContentHash{} : type_hash(part);
    h.add(inner.high).add(inner.low);
  };
  add_part(t.element);
  h.add(t.fields.size()).add(t.parameters.size());
  for (const Field& field : t.fields) {
    h.add(field.offset_bits);
    add_part(field.type);
  }
  for (const TypeId parameter : t.parameters) add_part(parameter);
  return types_[id] = h.finish();
}

// An initialiser may point back to its own global; deeper than this only the shape counts.
constexpr int deepest_initialiser = 3;

void BodyHasher::add_global(const Global& g, int depth) {
  const bool is_local = g.linkage == Linkage::Internal;
  if (!is_local || !g.source_name.empty()) {
    out_.add(is_local ? g.source_name : g.name);
    return;
  }
  add(type_hash(g.type));
  out_.add(g.size).add(g.bytes.size());
  for (const std::uint8_t byte : g.bytes) out_.add(byte);
  if (depth == deepest_initialiser) return;
  for (const Relocation& r : g.relocations) {
    out_.add(r.offset).add(r.size).add(static_cast<std::uint64_t>(r.addend));
    add_operand(r.target, depth + 1);
  }
}

void BodyHasher::add_constant(const Constant& c, int depth) {
  out_.add(number(c.kind)).add(c.bits).add(c.wide.size()).add(c.elements.size());
  add(type_hash(c.type));
  for (const std::uint64_t word : c.wide) out_.add(word);
  for (const Operand element : c.elements) add_operand(element, depth);
}

void BodyHasher::add_operand(Operand operand, int depth) {
  out_.add(number(operand.kind()));
  switch (operand.kind()) {
    case Operand::Kind::None:
    case Operand::Kind::Asm: return;
    case Operand::Kind::Value:
    case Operand::Kind::Block: out_.add(operand.index()); return;
    case Operand::Kind::Constant: add_constant(program_.constants[operand.as_constant()], depth); return;
    case Operand::Kind::Global: add_global(program_.globals[operand.as_global()], depth); return;
    case Operand::Kind::Function: break;
  }
  const Function& callee = program_.functions[operand.as_function()];
  out_.add(callee.linkage == Linkage::Internal && !callee.source_name.empty() ? callee.source_name : callee.name);
}

void BodyHasher::add_extra(const Function& f, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::Gep: {
      const GepInfo& gep = f.geps[i.extra];
      add(type_hash(gep.source_type));
      out_.add(static_cast<std::uint64_t>(gep.constant_offset));
      for (const std::int64_t stride : gep.strides) out_.add(static_cast<std::uint64_t>(stride));
      return;
    }
    case Opcode::Call:
    case Opcode::Invoke: {
      const CallInfo& call = f.calls[i.extra];
      add(type_hash(call.function_type));
      out_.add(call.asm_text).add(number(call.no_return)).add(number(call.no_unwind));
      for (const auto& [argument, bytes, align] : call.byval) out_.add(argument).add(bytes);
      return;
    }
    case Opcode::ExtractValue:
    case Opcode::InsertValue:
    case Opcode::ShuffleVector:
      for (const std::int32_t index : f.indices[i.extra]) out_.add(static_cast<std::uint64_t>(index));
      return;
    case Opcode::Unsupported: out_.add(f.texts[i.extra]); return;
    default: return;
  }
}

void BodyHasher::add_instruction(const Function& f, const Instruction& i) {
  out_.add(number(i.opcode)).add(i.detail).add(i.flags).add(number(i.order)).add(i.operand_count);
  add(type_hash(i.type));
  add(type_hash(i.access_type));
  for (const Operand operand : f.operands_of(i)) add_operand(operand, 0);
  add_extra(f, i);
}

void BodyHasher::add_signature(const Function& f) {
  add(type_hash(f.type));
  out_.add(number(f.is_vararg)).add(number(f.no_return)).add(f.byval.size());
  for (const auto& [parameter, bytes, align] : f.byval) out_.add(parameter).add(bytes);
}

ContentHash BodyHasher::hash(const Function& f) {
  out_ = Hasher();
  add_signature(f);
  out_.add(f.blocks.size());
  for (const Block& block : f.blocks) {
    out_.add(block.count);
    for (const Instruction& i : f.instructions_of(block)) add_instruction(f, i);
  }
  return {0, out_.finish().low};
}

}  // namespace

ContentHash function_hash(const Program& program, const Function& function) {
  return BodyHasher(program).hash(function);
}

void hash_functions(Program& program) {
  BodyHasher hasher(program);
  for (Function& f : program.functions)
    if (f.has_body()) f.hash = hasher.hash(f);
}

}  // namespace heddle
