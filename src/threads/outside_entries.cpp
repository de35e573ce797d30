// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/outside_entries.h"

#include <algorithm>
#include <map>
#include <optional>

#include "api/action.h"
#include "program/model/used_functions.h"
#include "program/names/struct_index.h"

namespace heddle::threads {
namespace {

using api::EntryRule;

bool fits(const std::string& pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1))
                                : name == pattern;
}

class Finder {
 public:
  Finder(const Program& program, const api::ApiModels& models) : program_(program), models_(models), structs_(program) {
    for (const EntryRule& rule : models.entries())
      if (rule.kind == EntryRule::Kind::Member) members_.push_back(&rule);
  }

  std::vector<OutsideEntry> run() {
    by_name();
    for (const Global& g : program_.globals) in_global(g);
    for (const Function& f : program_.functions)
      for (const Instruction& i : f.instructions) {
        if (i.opcode == Opcode::Store) stored(f, i);
        if (i.is_call()) called(f, i);
      }
    unused();
    std::vector<OutsideEntry> out;
    for (auto& [key, reason] : found_) out.push_back({key.first, key.second, std::move(reason)});
    return out;
  }

 private:
  void add(Operand target, api::EntryContext context, const std::string& reason) {
    if (target.is_function() && program_.functions[target.as_function()].has_body())
      found_.emplace(std::pair(target.as_function(), context), reason);
  }

  void by_name() {
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind != EntryRule::Kind::Function) continue;
      for (std::size_t i = 0; i < program_.functions.size(); ++i)
        if (fits(rule.name, program_.functions[FunctionId(i)].name))
          add(Operand::function(FunctionId(i)), rule.context, "called '" + rule.name + "'");
    }
  }

  /// A wrapper is known by its model and counts as used.
  void unused() {
    const UsedFunctions used(program_);
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind != EntryRule::Kind::Uncalled) continue;
      for (std::size_t i = 0; i < program_.functions.size(); ++i) {
        const Function& f = program_.functions[FunctionId(i)];
        const bool is_visible = f.linkage == Linkage::External || f.linkage == Linkage::Weak;
        if (is_visible && fits(rule.name, f.name) && !used.contains(FunctionId(i)) &&
            models_.find_wrapper(f.name) == nullptr)
          add(Operand::function(FunctionId(i)), rule.context, "nobody in the program uses it");
      }
    }
  }

  void in_global(const Global& g) {
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind != EntryRule::Kind::Global || !fits(rule.name, g.name)) continue;
      for (const Relocation& r : g.relocations) add(r.target, rule.context, "address in '" + rule.name + "'");
    }
    if (!g.source_type.valid()) return;
    for (const Relocation& r : g.relocations) {
      if (r.target.is_function()) in_member(g.source_type, static_cast<std::int64_t>(r.offset), r.target);
      if (r.target.is_global()) in_table(g, r);
    }
  }

  /// A member may point to an array of functions (iw_handler_def.standard) in place of holding one.
  void in_table(const Global& g, const Relocation& pointer) {
    for (const Relocation& r : program_.globals[pointer.target.as_global()].relocations)
      if (r.target.is_function()) in_member(g.source_type, static_cast<std::int64_t>(pointer.offset), r.target);
  }

  /// From the address back to a variable, whose type tells what lies where.
  void stored(const Function& f, const Instruction& store) {
    const Operand target = f.operands_of(store)[0];
    Operand address = f.operands_of(store)[1];
    if (!target.is_function()) return;
    std::int64_t offset = 0;
    while (address.is_value() && !f.is_parameter(address.as_value())) {
      const Instruction& i = f.instructions[f.definition(address.as_value())];
      if (i.opcode != Opcode::Gep || i.operand_count != 1) break;
      offset += f.geps[i.extra].constant_offset;
      if (f.geps[i.extra].source_type.valid())
        in_member(structs_.source_of(f.geps[i.extra].source_type), offset, target);
      address = f.operands_of(i)[0];
    }
    if (address.is_global()) in_member(program_.globals[address.as_global()].source_type, offset, target);
    if (!address.is_value()) return;
    for (const ValueName& name : f.names)
      if (name.value == address.as_value() && name.source_type.valid())
        in_member(name.names_memory ? name.source_type : program_.types[name.source_type].element, offset, target);
  }

  void called(const Function& f, const Instruction& call) {
    const auto operands = f.operands_of(call);
    if (operands.empty() || !operands[0].is_function()) return;
    const Function& callee = program_.functions[operands[0].as_function()];
    const api::Model* model = callee.has_body() ? models_.find_wrapper(callee.name) : models_.find(callee.name);
    if (model == nullptr) return;
    const auto arguments = f.arguments_of(call);
    for (const api::Effect& effect : model->effects)
      if (const auto entry = entry_of(effect); entry && entry->argument < arguments.size())
        add(arguments[entry->argument], entry->context, "call of '" + std::string(callee.name) + "'");
  }

  struct Entry {
    std::size_t argument = 0;
    api::EntryContext context = api::EntryContext::Thread;
  };
  /// The argument of a call from which on a function may run that the program need not call.
  static std::optional<Entry> entry_of(const api::Effect& effect) {
    std::optional<Entry> out;
    api::treat(
        api::action_of(effect),
        [&](const api::StartThread& start) {
          if (start.entry_slot == api::Effect::none) out = {static_cast<std::size_t>(start.entry)};
        },
        [&](const api::RunLater& later) {
          switch (later.when) {
            case api::RunLater::When::Outside: out = {static_cast<std::size_t>(later.entry), later.context}; return;
            case api::RunLater::When::Terminate:
            case api::RunLater::When::ExceptionEnd:
            case api::RunLater::When::ProgramEnd:
            case api::RunLater::When::ThreadEnd: return;  // a thread of the program runs it
          }
        },
        api::Nothing<api::TakeLock, api::GiveLock, api::SetUpObject, api::LeaveThread, api::UseCondition,
                     api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::UseThreadValue, api::MakeMemory,
                     api::Touch, api::TouchAtomic, api::MovePointers, api::ReturnValue, api::CallBack, api::End,
                     api::Assume, api::MaskEntries, api::DoUnsupported>{});
    return out;
  }

  /// Goes from the object inwards to the member at this byte; every struct on the way may be one of a rule. Members of
  /// an anonymous struct or union are those of the struct around it.
  void in_member(TypeId object, std::int64_t byte, Operand target) {
    if (byte < 0) return;
    auto bit = static_cast<std::uint64_t>(byte) * 8;
    std::string_view record;
    while (object.valid()) {
      const Type& type = program_.types[object];
      if (type.kind == TypeKind::Array && type.element.valid() && program_.types[type.element].size_bits > 0) {
        bit %= program_.types[type.element].size_bits;
        object = type.element;
        continue;
      }
      if (type.kind != TypeKind::Struct && type.kind != TypeKind::Union) return;
      const auto field = std::ranges::find_if(type.fields, [&](const Field& member) {
        return member.offset_bits <= bit && bit - member.offset_bits < member.size_bits;
      });
      if (field == type.fields.end()) return;
      if (!type.name.empty()) record = type.name;
      for (const EntryRule* rule : members_)
        if (fits(rule->name, record) &&
            (rule->members.empty() || std::ranges::find(rule->members, field->name) != rule->members.end()))
          add(target, rule->context, "member of '" + std::string(record) + "'");
      if (!field->name.empty()) record = {};
      bit -= field->offset_bits;
      object = field->type;
    }
  }

  const Program& program_;
  const api::ApiModels& models_;
  StructIndex structs_;
  std::vector<const EntryRule*> members_;
  std::map<std::pair<FunctionId, api::EntryContext>, std::string> found_;
};

}  // namespace

std::vector<OutsideEntry> find_outside_entries(const Program& program, const api::ApiModels& models) {
  return Finder(program, models).run();
}

}  // namespace heddle::threads
