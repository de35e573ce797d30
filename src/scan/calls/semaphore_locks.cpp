// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/semaphore_locks.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "api/action.h"
#include "program/model/first_bits.h"

namespace heddle::scan {
namespace {

/// What a function does to a semaphore.
struct SemaphoreAction {
  enum class Step : std::uint8_t { Begin, Wait, Post };
  Step step = Step::Begin;
  api::Argument object = api::Effect::none;
  api::Argument value = api::Effect::none;  ///< Begin
  std::string count_member = {};            ///< Wait: of the object, holds the count; empty: no member that has a name
};

std::optional<SemaphoreAction> semaphore_action(const api::Model* model) {
  using Step = SemaphoreAction::Step;
  if (model == nullptr) return std::nullopt;
  for (const api::Effect& effect : model->effects) {
    if (const auto begin = api::get<api::SetUpObject>(effect);
        begin && begin->what == api::SetUpObject::What::Semaphore)
      return SemaphoreAction{Step::Begin, begin->object, begin->value};
    if (const auto use = api::get<api::UseSemaphore>(effect))
      return use->step == api::UseSemaphore::Step::Post
                 ? SemaphoreAction{Step::Post, use->object}
                 : SemaphoreAction{Step::Wait, use->object, api::Effect::none, effect.note};
  }
  return std::nullopt;
}

bool is_number_one(const Program& program, Operand operand) {
  if (!operand.is_constant()) return false;
  const Constant& constant = program.constants[operand.as_constant()];
  return constant.kind == Constant::Kind::Int && constant.wide.empty() && constant.bits == 1;
}

/// The member of that name of the struct at an offset of a type; none if there is no such struct.
struct MemberPlace {
  const Field* member = nullptr;
  std::uint64_t offset = 0;  ///< of the member, in bits
};
std::optional<MemberPlace> member_at(const Program& program, TypeId type, std::int64_t offset, std::string_view name) {
  constexpr std::int64_t byte = 8;
  std::uint64_t before = 0;
  while (type && offset >= 0) {
    const Type& t = program.types[type];
    if (t.kind == TypeKind::Array && t.element && program.types[t.element].size_bits != 0) {
      const auto size = static_cast<std::int64_t>(program.types[t.element].size_bits) / byte;
      before += static_cast<std::uint64_t>(offset / size * size * byte);
      offset %= size;
      type = t.element;
      continue;
    }
    if (t.kind != TypeKind::Struct) return std::nullopt;
    if (const auto named = std::ranges::find(t.fields, name, &Field::name); offset == 0 && named != t.fields.end())
      return MemberPlace{&*named, before + named->offset_bits};
    TypeId inner;
    for (const Field& field : t.fields) {
      const auto from = static_cast<std::int64_t>(field.offset_bits) / byte;
      if (from > offset || offset * byte >= static_cast<std::int64_t>(field.offset_bits + field.size_bits)) continue;
      inner = field.type;
      before += field.offset_bits;
      offset -= from;
      break;
    }
    type = inner;
  }
  return std::nullopt;
}

/// What such a member of a global is when the program begins.
std::optional<std::uint64_t> initial_count(const Program& program, const Global& global, std::int64_t offset,
                                           std::string_view name) {
  const auto found = member_at(program, global.source_type, offset, name);
  if (!found || found->member->is_bitfield || found->offset % 8 != 0) return std::nullopt;
  return first_bits(program, global, static_cast<std::int64_t>(found->offset / 8), found->member->size_bits / 8);
}

using Semaphore = std::pair<std::uint32_t, std::int32_t>;  ///< class and offset

struct Use {
  FunctionId function;
  std::uint32_t instruction = 0;
  Semaphore semaphore;
  bool is_post = false;
};

/// Semaphores by what their members say when the program begins. One that is zero has still to be begun by a call.
class InitialCounts {
 public:
  InitialCounts(const Program& program, const alias::AliasFacts& aliases) : program_(program), aliases_(aliases) {}

  void add(const Semaphore& semaphore, const std::string& member, std::map<Semaphore, bool>& starts_at_one) {
    if (member.empty() || !seen_.insert({semaphore, member}).second) return;
    for (std::uint32_t g = 0; g < program_.globals.size(); ++g) {
      const alias::Place at = aliases_.place(FunctionId(0), Operand::global(GlobalId(g)));
      if (!at.valid() || at.cls.index() != semaphore.first) continue;
      const auto count =
          initial_count(program_, program_.globals[GlobalId(g)], std::int64_t{semaphore.second} - at.offset, member);
      if (count && *count != 0) starts_at_one.try_emplace(semaphore, true).first->second &= *count == 1;
    }
  }

 private:
  const Program& program_;
  const alias::AliasFacts& aliases_;
  std::set<std::pair<Semaphore, std::string>> seen_;
};

/// Those that are posted by a function that never waits for them, while no other only waits.
std::set<Semaphore> find_unpaired(const std::vector<Use>& uses) {
  struct Has {
    bool waits = false, posts = false;
  };
  std::map<std::pair<Semaphore, FunctionId>, Has> by_function;
  for (const Use& use : uses)
    (use.is_post ? by_function[{use.semaphore, use.function}].posts
                 : by_function[{use.semaphore, use.function}].waits) = true;
  std::set<Semaphore> only_posted, only_waited, out;
  for (const auto& [who, has] : by_function) {
    if (!has.waits) only_posted.insert(who.first);
    if (!has.posts) only_waited.insert(who.first);
  }
  std::ranges::set_difference(only_posted, only_waited, std::inserter(out, out.end()));
  return out;
}

}  // namespace

SemaphoreLocks::SemaphoreLocks(const Program& program, const std::vector<const api::Model*>& models,
                               const alias::AliasFacts& aliases) {
  std::map<FunctionId, SemaphoreAction> actions;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (const auto action = semaphore_action(models[i])) actions[FunctionId(i)] = *action;
  if (actions.empty()) return;
  std::map<Semaphore, bool> starts_at_one;
  std::vector<Use> uses;
  InitialCounts initial(program, aliases);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      if (!function.instructions[i].is_call()) continue;
      const auto operands = function.operands_of(function.instructions[i]);
      if (operands.empty() || !operands[0].is_function()) continue;
      const auto known = actions.find(operands[0].as_function());
      if (known == actions.end()) continue;
      const SemaphoreAction& action = known->second;
      const auto arguments = function.arguments_of(function.instructions[i]);
      const auto has = [&](api::Argument argument) {
        return argument >= 0 && static_cast<std::size_t>(argument) < arguments.size();
      };
      if (!has(action.object)) continue;
      const alias::Place at = aliases.place(FunctionId(f), arguments[static_cast<std::size_t>(action.object)]);
      if (!at.valid()) continue;
      const Semaphore semaphore(at.cls.index(), at.offset);
      if (action.step != SemaphoreAction::Step::Begin) {
        uses.push_back({FunctionId(f), i, semaphore, action.step == SemaphoreAction::Step::Post});
        initial.add(semaphore, action.count_member, starts_at_one);
        continue;
      }
      const bool is_one =
          has(action.value) && is_number_one(program, arguments[static_cast<std::size_t>(action.value)]);
      const auto [row, is_new] = starts_at_one.try_emplace(semaphore, is_one);
      row->second &= is_one;
    }
  }
  const std::set<Semaphore> unpaired = find_unpaired(uses);
  for (const Use& use : uses) {
    const auto start = starts_at_one.find(use.semaphore);
    if (start == starts_at_one.end() || !start->second || unpaired.contains(use.semaphore)) continue;
    if (rows_.empty() || rows_.back().function != use.function)
      rows_.push_back({use.function, static_cast<std::uint32_t>(instructions_.size()), 0});
    instructions_.push_back(use.instruction);
    ++rows_.back().count;
  }
}

std::span<const std::uint32_t> SemaphoreLocks::of(FunctionId function) const {
  const auto at = std::ranges::lower_bound(rows_, function, {}, &Row::function);
  if (at == rows_.end() || at->function != function) return {};
  return std::span(instructions_).subspan(at->first, at->count);
}

bool SemaphoreLocks::contains(FunctionId function, std::size_t instruction) const {
  return std::ranges::binary_search(of(function), static_cast<std::uint32_t>(instruction));
}

}  // namespace heddle::scan
