// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/outside_entries.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "api/action.h"
#include "flow/cfg.h"
#include "program/model/function_queries.h"
#include "program/model/used_functions.h"
#include "program/names/struct_index.h"

namespace heddle::threads {
namespace {

using api::EntryRule;
using api::EntryTraits;

constexpr std::string_view shipped_folder = "models/";

std::optional<std::int64_t> number_in(std::string_view digits) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// What a rule says, and what the name says that fits it: `__vector_7` is interrupt 7.
EntryTraits traits_of(const EntryRule& rule, std::string_view name) {
  EntryTraits traits = rule.traits;
  if (!traits.number && rule.context == api::EntryContext::Hardirq && rule.name.ends_with('*'))
    traits.number = number_in(name.substr(std::min(name.size(), rule.name.size() - 1)));
  return traits;
}

/// Calls that one run of the program may make several times: in a loop, or in a function that is called twice.
class RepeatedCalls {
 public:
  explicit RepeatedCalls(const Program& program) : program_(program) {}

  [[nodiscard]] bool is_repeated(FunctionId function, const Instruction& call) {
    if (!is_known_) find_callers();
    std::set<FunctionId> seen{function};
    auto at = static_cast<std::size_t>(&call - program_.functions[function].instructions.data());
    while (!is_in_loop(function, at)) {
      const auto callers = callers_.find(function);
      if (callers == callers_.end()) return false;
      if (callers->second.size() > 1) return true;
      std::tie(function, at) = callers->second.front();
      if (!seen.insert(function).second) return true;
    }
    return true;
  }

 private:
  void find_callers() {
    is_known_ = true;
    for (std::size_t k = 0; k < program_.functions.size(); ++k) {
      const Function& f = program_.functions[FunctionId(k)];
      for (std::size_t i = 0; i < f.instructions.size(); ++i)
        if (f.instructions[i].is_call() && f.operands_of(f.instructions[i])[0].is_function())
          callers_[f.operands_of(f.instructions[i])[0].as_function()].emplace_back(FunctionId(k), i);
    }
  }

  /// Its block leads back to itself.
  [[nodiscard]] bool is_in_loop(FunctionId function, std::size_t instruction) const {
    const Function& f = program_.functions[function];
    const flow::Cfg cfg = flow::build_cfg(f, flow::Liveness::Skip);
    const auto behind = std::ranges::upper_bound(f.blocks, instruction, {}, &Block::first);
    const BlockId block(static_cast<std::size_t>(behind - f.blocks.begin()) - 1);
    std::vector<bool> reached(f.blocks.size());
    std::vector<BlockId> todo{block};
    while (!todo.empty()) {
      const BlockId here = todo.back();
      todo.pop_back();
      for (const BlockId next : cfg.successors[here.index()]) {
        if (next == block) return true;
        if (!reached[next.index()]) todo.push_back(next);
        reached[next.index()] = true;
      }
    }
    return false;
  }

  const Program& program_;
  bool is_known_ = false;
  std::map<FunctionId, std::vector<std::pair<FunctionId, std::size_t>>> callers_;
};

class Finder {
 public:
  Finder(const Program& program, const api::ApiModels& models)
      : program_(program), models_(models), structs_(program), again_(program) {
    for (const EntryRule& rule : models.entries())
      if (rule.kind == EntryRule::Kind::Member) members_.push_back(&rule);
  }

  std::vector<OutsideEntry> run() {
    by_name();
    by_attribute();
    for (const Global& g : program_.globals) in_global(g);
    for (std::size_t k = 0; k < program_.functions.size(); ++k)
      for (const Instruction& i : program_.functions[FunctionId(k)].instructions) {
        if (i.opcode == Opcode::Store) stored(program_.functions[FunctionId(k)], i);
        if (i.is_call()) called(FunctionId(k), i);
      }
    unused();
    std::vector<OutsideEntry> out;
    for (auto& [key, entry] : found_) out.push_back(std::move(entry));
    return out;
  }

 private:
  void add(Operand target, OutsideEntry entry) {
    if (!target.is_function() || !program_.functions[target.as_function()].has_body()) return;
    entry.function = target.as_function();
    const EntryTraits& t = entry.traits;
    const auto [at, is_new] = found_.try_emplace(
        {entry.function, entry.context, t.kind, t.number, t.priority, t.preemptable, entry.is_written});
    if (is_new)
      at->second = std::move(entry);
    else
      ++at->second.times;
  }
  void add(Operand target, const EntryRule& rule, std::string reason, EntryTraits traits) {
    add(target, {.context = rule.context,
                 .reason = std::move(reason),
                 .traits = traits,
                 .is_written = !rule.file.starts_with(shipped_folder),
                 .rule_place = rule.place});
  }

  void by_name() {
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind != EntryRule::Kind::Function) continue;
      for (std::size_t i = 0; i < program_.functions.size(); ++i)
        if (const Function& f = program_.functions[FunctionId(i)]; is_called(rule.name, f))
          add(Operand::function(FunctionId(i)), rule, "called '" + rule.name + "'", traits_of(rule, f.name));
    }
  }

  /// `interrupt(15)` of MSP430 has the number in it.
  void by_attribute() {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const std::string_view attribute = program_.functions[FunctionId(i)].interrupt;
      if (attribute.empty()) continue;
      EntryTraits traits;
      if (const std::size_t open = attribute.find('('); open != std::string_view::npos)
        traits.number = number_in(attribute.substr(open + 1, attribute.size() - open - 2));
      // `interrupt` of AVR lets others in at once, `signal` does not.
      if (attribute == "interrupt" && program_.layout.triple.starts_with("avr")) traits.preemptable = true;
      add(Operand::function(FunctionId(i)), {.context = api::EntryContext::Hardirq,
                                             .reason = "__attribute__((" + std::string(attribute) + "))",
                                             .traits = traits});
    }
  }

  /// A wrapper is known by its model and counts as used.
  void unused() {
    const UsedFunctions used(program_);
    std::set<FunctionId> known;  // another rule says how they are called
    for (const auto& [key, entry] : found_) known.insert(entry.function);
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind != EntryRule::Kind::Uncalled) continue;
      for (std::size_t i = 0; i < program_.functions.size(); ++i) {
        const Function& f = program_.functions[FunctionId(i)];
        const bool is_visible = f.linkage == Linkage::External || f.linkage == Linkage::Weak;
        if (is_visible && fits(rule.name, f.name) && !used.contains(FunctionId(i)) && !known.contains(FunctionId(i)) &&
            models_.find_wrapper(f.name) == nullptr)
          add(Operand::function(FunctionId(i)), rule, "nobody in the program uses it", traits_of(rule, f.name));
      }
    }
  }

  void in_global(const Global& g) {
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind == EntryRule::Kind::Global && fits(rule.name, g.name))
        for (const Relocation& r : g.relocations) add(r.target, rule, "address in '" + rule.name + "'", rule.traits);
      if ((rule.kind == EntryRule::Kind::VectorTable && fits(rule.name, g.name)) ||
          (rule.kind == EntryRule::Kind::VectorSection && !g.section.empty() && fits(rule.name, g.section)))
        in_vectors(g, rule);
    }
    if (!g.source_type.valid()) return;
    for (const Relocation& r : g.relocations) {
      if (r.target.is_function()) in_member(g.source_type, static_cast<std::int64_t>(r.offset), r.target, &g);
      if (r.target.is_global()) in_table(g, r);
    }
  }

  /// A handler has the number of its place. One that stands in several places is the one for all others, without one.
  void in_vectors(const Global& g, const EntryRule& rule) {
    std::map<FunctionId, std::vector<std::uint64_t>> places;
    for (const Relocation& r : g.relocations)
      if (r.target.is_function() && r.size > 0) places[r.target.as_function()].push_back(r.offset / r.size);
    for (const auto& [function, numbers] : places) {
      EntryTraits traits = rule.traits;
      if (numbers.size() == 1) traits.number = static_cast<std::int64_t>(numbers.front());
      add(Operand::function(function), rule,
          "vector table '" + std::string(g.shown_name()) + "' [" + std::to_string(numbers.front()) +
              (numbers.size() == 1 ? "]" : ", …]"),
          traits);
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

  void called(FunctionId caller, const Instruction& call) {
    const Function& f = program_.functions[caller];
    const auto operands = f.operands_of(call);
    if (operands.empty() || !operands[0].is_function()) return;
    const Function& callee = program_.functions[operands[0].as_function()];
    const api::Model* model = model_of(operands[0].as_function());
    if (model == nullptr) return;
    const auto arguments = f.arguments_of(call);
    for (const api::Effect& effect : model->effects) {
      const auto entry = entry_of(effect);
      if (!entry || static_cast<std::size_t>(entry->entry) >= arguments.size()) continue;
      EntryTraits traits;
      traits.priority = priority_of(f, arguments, *entry);
      traits.number = constant_argument(f, arguments, entry->number);
      add(without_casts(f, arguments[static_cast<std::size_t>(entry->entry)]),
          {.context = entry->context,
           .reason = "call of '" + std::string(callee.name) + "'",
           .traits = traits,
           .at = call.location,
           .times = again_.is_repeated(caller, call) ? 2UZ : 1UZ});
    }
  }

  /// A function is called in many places.
  [[nodiscard]] const api::Model* model_of(FunctionId callee) {
    const auto [at, is_new] = called_models_.try_emplace(callee, nullptr);
    const Function& f = program_.functions[callee];
    if (is_new) at->second = f.has_body() ? models_.find_wrapper(f.name) : models_.find(f.name);
    return at->second;
  }

  [[nodiscard]] std::optional<std::int64_t> constant_argument(const Function& f, std::span<const Operand> arguments,
                                                              int which) const {
    if (which < 0 || static_cast<std::size_t>(which) >= arguments.size()) return std::nullopt;
    const Operand argument = without_casts(f, arguments[static_cast<std::size_t>(which)]);
    return argument.is_constant() ? signed_number(program_, program_.constants[argument.as_constant()]) : std::nullopt;
  }

  /// The argument itself, or a member of the constant that it points to.
  [[nodiscard]] std::optional<std::int64_t> priority_of(const Function& f, std::span<const Operand> arguments,
                                                        const api::RunLater& entry) const {
    std::optional<std::int64_t> found;
    if (entry.priority_member.empty()) {
      found = constant_argument(f, arguments, entry.priority);
    } else if (static_cast<std::size_t>(entry.priority) < arguments.size()) {
      const Operand object = without_casts(f, arguments[static_cast<std::size_t>(entry.priority)]);
      if (object.is_global()) {
        const Global& g = program_.globals[object.as_global()];
        if (g.source_type.valid()) found = member_value(g, program_.types[g.source_type], 0, entry.priority_member);
      }
    }
    return found && entry.lower_first ? std::optional(-*found) : found;
  }

  /// Of a struct that begins at byte `base` of a global: the number that its initial value has in a member.
  [[nodiscard]] std::optional<std::int64_t> member_value(const Global& g, const Type& type, std::uint64_t base,
                                                         std::string_view member) const {
    if (g.is_declaration()) return std::nullopt;
    const auto field = std::ranges::find(type.fields, member, &Field::name);
    if (field == type.fields.end() || field->is_bitfield || field->size_bits == 0 || field->size_bits > 64)
      return std::nullopt;
    const std::uint64_t first = base + field->offset_bits / 8, size = field->size_bits / 8;
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t at = first + (program_.layout.little_endian ? size - 1 - i : i);
      bits = bits << 8 | (at < g.bytes.size() ? g.bytes[at] : 0);
    }
    const bool is_signed = field->type.valid() && program_.types[field->type].is_signed;
    const std::uint64_t sign = is_signed && field->size_bits < 64 ? std::uint64_t{1} << (field->size_bits - 1) : 0;
    return static_cast<std::int64_t>((bits ^ sign) - sign);
  }

  /// From the call on a function may run that the program need not call.
  static std::optional<api::RunLater> entry_of(const api::Effect& effect) {
    std::optional<api::RunLater> out;
    api::treat(
        api::action_of(effect),
        [&](const api::StartThread& start) {
          if (start.entry_slot == api::Effect::none) out = api::RunLater{.entry = start.entry};
        },
        [&](const api::RunLater& later) {
          switch (later.when) {
            case api::RunLater::When::Outside: out = later; return;
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
  /// an anonymous struct or union are those of the struct around it. `g`: the object, where its content is known.
  void in_member(TypeId object, std::int64_t byte, Operand target, const Global* g = nullptr) {
    if (byte < 0) return;
    auto bit = static_cast<std::uint64_t>(byte) * 8;
    Record record;
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
      if (!type.name.empty()) record = {&type, static_cast<std::uint64_t>(byte) - bit / 8};
      for (const EntryRule* rule : members_)
        if (fits(rule->name, record.name()) &&
            (rule->members.empty() || std::ranges::find(rule->members, field->name) != rule->members.end()))
          add(target, *rule, "member of '" + std::string(record.name()) + "'", member_traits(*rule, record, g));
      if (!field->name.empty()) record = {};
      bit -= field->offset_bits;
      object = field->type;
    }
  }

  /// A named struct, and where it begins.
  struct Record {
    const Type* type = nullptr;
    std::uint64_t base = 0;
    [[nodiscard]] std::string_view name() const { return type == nullptr ? std::string_view() : type->name; }
  };

  [[nodiscard]] EntryTraits member_traits(const EntryRule& rule, const Record& record, const Global* g) const {
    EntryTraits traits = rule.traits;
    if (g == nullptr || record.type == nullptr) return traits;
    if (!rule.number_member.empty()) traits.number = member_value(*g, *record.type, record.base, rule.number_member);
    if (rule.priority_member.empty()) return traits;
    traits.priority = member_value(*g, *record.type, record.base, rule.priority_member);
    if (traits.priority && rule.lower_first) traits.priority = -*traits.priority;
    return traits;
  }

  const Program& program_;
  const api::ApiModels& models_;
  StructIndex structs_;
  RepeatedCalls again_;
  std::vector<const EntryRule*> members_;
  using Key = std::tuple<FunctionId, api::EntryContext, std::optional<api::EntryKind>, std::optional<std::int64_t>,
                         std::optional<std::int64_t>, std::optional<bool>, bool>;
  std::map<Key, OutsideEntry> found_;
  std::map<FunctionId, const api::Model*> called_models_;
};

}  // namespace

bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern.starts_with('*') ? name.ends_with(pattern.substr(1)) : name == pattern;
}

bool is_called(std::string_view pattern, const Function& function) {
  return fits(pattern, function.name.substr(0, function.name.find('@'))) || fits(pattern, function.shown_name());
}

std::vector<OutsideEntry> find_outside_entries(const Program& program, const api::ApiModels& models) {
  return Finder(program, models).run();
}

}  // namespace heddle::threads
