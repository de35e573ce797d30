// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/shared/unshared_variables.h"

#include "scan/shared/shared_variables.h"

namespace heddle::scan {
namespace {

/// What a variable consists of, an array aside.
TypeId element_of(const Program& program, TypeId type) {
  while (type && program.types[type].kind == TypeKind::Array) type = program.types[type].element;
  return type;
}

}  // namespace

std::string bucket_name(const ScanFacts& facts, LvalueText& text, const BucketKey& key) {
  const Program& program = facts.input.program;
  switch (key.kind) {
    case BucketKey::Kind::Global: return std::string(program.globals[GlobalId(key.what)].shown_name());
    case BucketKey::Kind::Path: {
      const Lvalue path = facts.names[key.what].path;
      return text.print(facts.names.paths().all(), {}, {path.node, path.offset + key.offset}, 1);
    }
    case BucketKey::Kind::Class: return {};
    case BucketKey::Kind::Member: break;
  }
  const Node some{.kind = NodeKind::Value, .type = TypeId(key.what)};
  const std::string type(program.types[TypeId(key.what)].name);
  const std::string name = text.print({&some, 1}, {}, {NodeId(0), key.offset}, 1);
  const std::string before = "<some " + type + ">->";
  return name.starts_with(before) ? type + "." + name.substr(before.size()) : name;
}

void UnsharedVariables::add(const BucketKey& key, NotShared reason) {
  if (const std::string name = bucket_name(facts_, text_, key); !name.empty()) found_.try_emplace(name, reason);
}

std::vector<UnsharedVariable> UnsharedVariables::finish() {
  add_members();
  add_globals();
  std::vector<UnsharedVariable> out;
  for (const auto& [name, reason] : found_) out.push_back({name, reason});
  return out;
}

/// Of structs that threads touch, the members that they do not.
void UnsharedVariables::add_members() {
  MemberKeys keys(facts_.input.program);
  for (const BucketKey& key : used_)
    if (key.kind == BucketKey::Kind::Member) records_.insert(key.what);
  std::vector<MemberKey> members;
  for (const std::uint32_t record : records_) {
    members.clear();
    const auto size = static_cast<std::int64_t>(facts_.input.program.types[TypeId(record)].size_bytes());
    keys.list_members(TypeId(record), 0, size, members);
    for (const MemberKey& member : members) {
      const BucketKey key{BucketKey::Kind::Member, member.record.index(), member.offset};
      if (member.record.index() == record && !used_.contains(key)) add(key, NotShared::Alone);
    }
  }
}

/// Globals that no thread comes to. Of a struct that threads touch the members are told.
void UnsharedVariables::add_globals() {
  const Program& program = facts_.input.program;
  const std::vector<bool> named = named_globals();
  for (std::uint32_t i = 0; i < program.globals.size(); ++i) {
    const Global& global = program.globals[GlobalId(i)];
    const BucketKey key{BucketKey::Kind::Global, i, 0};
    const TypeId type = element_of(program, global.source_type);
    const bool is_told = used_.contains(key) || (type && records_.contains(type.index()));
    if (global.is_constant || global.is_declaration() || !global.source_type || is_told) continue;
    add(key, global.is_thread_local ? NotShared::ThreadLocal : named[i] ? NotShared::Alone : NotShared::Unused);
  }
}

/// By functions that are reached.
std::vector<bool> UnsharedVariables::named_globals() const {
  const Program& program = facts_.input.program;
  std::vector<bool> out(program.globals.size());
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    if (!facts_.reach.is_reached(FunctionId(i))) continue;
    for (const Operand& operand : program.functions[FunctionId(i)].operands)
      if (operand.is_global()) out[operand.as_global().index()] = true;
  }
  return out;
}

}  // namespace heddle::scan
