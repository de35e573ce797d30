// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/lock_names.h"

#include <algorithm>
#include <iterator>

#include "locks/excludes.h"
#include "scan/names/one_place.h"

namespace heddle::scan {

NodeId LockNames::canonical(const FunctionSummary& summary, NodeId id) {
  const Node& node = summary.nodes[id.index()];
  switch (node.kind) {
    case NodeKind::Global: return paths_.global(GlobalId(node.index), node.type);
    case NodeKind::Hidden: return paths_.intern({.kind = NodeKind::Hidden, .index = node.index});
    case NodeKind::Target: {
      const NodeId parent = canonical(summary, node.parent);
      return parent ? paths_.target({parent, node.offset}, node.type) : NodeId{};
    }
    default: return {};
  }
}

std::uint32_t LockNames::intern(const Name& name) {
  const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return at->second;
}

/// Whether two uses of the name are one lock, under the assumptions that are on.
bool LockNames::is_trusted(const FunctionSummary& summary, NodeId lock) const {
  for (NodeId node = lock; node; node = summary.nodes[node.index()].parent) {
    const Node& at = summary.nodes[node.index()];
    if (at.kind == NodeKind::Target && !assumptions_.stable_paths) return false;
    if (at.kind == NodeKind::Element && at.index == Node::some_element && !assumptions_.one_element) return false;
  }
  return true;
}

std::uint32_t LockNames::path(const FunctionSummary& summary, Lvalue where) {
  const NodeId node = canonical(summary, where.node);
  if (!node) return none;
  return intern({.kind = Name::Kind::Fixed, .path = {node, where.offset}, .parent = {}});
}

/// Where a name leads, as far as that can be told without the function.
alias::Place LockNames::place_of(const FunctionSummary& summary, NodeId id) const {
  const Node& node = summary.nodes[id.index()];
  switch (node.kind) {
    case NodeKind::Global: return aliases_->place({}, Operand::global(GlobalId(node.index)));
    case NodeKind::Value:
      return node.function ? aliases_->place(node.function, Operand::value(ValueId(node.index))) : alias::Place{};
    case NodeKind::Element:
    case NodeKind::Target: {
      alias::Place at = place_of(summary, node.parent);
      if (!at.valid()) return at;
      at.offset += node.offset;
      return node.kind == NodeKind::Target ? aliases_->content(at) : at;
    }
    default: return {};
  }
}

/// What a name leads to, if that is the same place in a global in every execution: the pointer is one address at all
/// calls of its function, or lies in memory that only ever holds one.
std::optional<alias::GlobalPlace> LockNames::address_of(const FunctionSummary& summary, NodeId id) {
  const Node& node = summary.nodes[id.index()];
  // On its way backward a pointer may have lain in memory that other threads write.
  if (node.kind == NodeKind::Value && node.function && assumptions_.stable_paths)
    return aliases_->address(node.function, ValueId(node.index));
  if (node.kind != NodeKind::Target || settled_ == nullptr) return std::nullopt;
  alias::Place cell = place_of(summary, node.parent);
  cell.offset += node.offset;
  return settled_->at(cell);
}

/// The path of a lock's memory from a global, begun anew behind a pointer that is always the same.
Lvalue LockNames::other_name(const FunctionSummary& summary, NodeId id) {
  const Node& node = summary.nodes[id.index()];
  if (const auto at = address_of(summary, id))
    return {paths_.global(at->global, node.type), static_cast<std::int32_t>(at->offset)};
  if (node.kind != NodeKind::Target) return {canonical(summary, id), 0};
  const Lvalue parent = other_name(summary, node.parent);
  return {parent.valid() ? paths_.target({parent.node, parent.offset + node.offset}, node.type) : NodeId{}, 0};
}

std::uint32_t LockNames::lock_path(const FunctionSummary& summary, Lvalue lock) {
  if (aliases_ == nullptr) return path(summary, lock);
  const Lvalue at = other_name(summary, lock.node);
  if (!at.valid()) return none;
  return intern({.kind = Name::Kind::Fixed, .path = {at.node, at.offset + lock.offset}, .parent = {}});
}

std::uint32_t LockNames::fixed(const FunctionSummary& summary, Lvalue lock) {
  return is_trusted(summary, lock.node) ? lock_path(summary, lock) : none;
}

Lvalue LockNames::resolved(const FunctionSummary& summary, NodeId id, const std::vector<Passed>& passed) {
  const Node& node = summary.nodes[id.index()];
  if (node.kind == NodeKind::Formal) {
    const auto rows = std::ranges::equal_range(passed, node.index, {}, &Passed::parameter);
    const bool is_one = rows.size() == 1 && rows.front().kind == Passed::Kind::Place;
    return is_one ? names_[static_cast<std::size_t>(rows.front().value)].path : Lvalue{};
  }
  if (node.kind != NodeKind::Target) return {canonical(summary, id), 0};
  const Lvalue parent = resolved(summary, node.parent, passed);
  return {parent.valid() ? paths_.target({parent.node, parent.offset + node.offset}, node.type) : NodeId{}, 0};
}

std::uint32_t LockNames::bound(const FunctionSummary& summary, Lvalue lock, const std::vector<Passed>& passed) {
  if (passed.empty() || !summary.nodes[lock.node.index()].from_formal || !is_trusted(summary, lock.node)) return none;
  const Lvalue at = resolved(summary, lock.node, passed);
  return at.valid() ? intern({.kind = Name::Kind::Fixed, .path = {at.node, at.offset + lock.offset}, .parent = {}})
                    : none;
}

std::uint32_t LockNames::moved(std::uint32_t name, std::int32_t distance) {
  Name other = names_[name];
  other.path.offset += distance;
  return intern(other);
}

std::vector<Passed> either_passed(const std::vector<Passed>& a, const std::vector<Passed>& b) {
  constexpr std::ptrdiff_t most_values = 8;
  std::vector<Passed> all, out;
  std::ranges::set_union(a, b, std::back_inserter(all));
  for (auto first = all.begin(); first != all.end();) {
    const auto end =
        std::ranges::find_if(first, all.end(), [&](const Passed& p) { return p.parameter != first->parameter; });
    const auto has = [&](const std::vector<Passed>& rows) {
      return std::ranges::binary_search(rows, first->parameter, {}, &Passed::parameter);
    };
    if (has(a) && has(b) && end - first <= most_values) out.insert(out.end(), first, end);
    first = end;
  }
  return out;
}

bool may_hold(const Condition& when, const std::vector<Passed>& passed) {
  if (!when.asks_for_value()) return true;
  const auto rows = std::ranges::equal_range(passed, when.parameter(), {}, &Passed::parameter);
  return rows.empty() || std::ranges::any_of(rows, [&](const Passed& row) {
           switch (row.kind) {
             case Passed::Kind::Number: return when.may_hold_for(SymbolicValue::constant(row.value));
             case Passed::Kind::Code:
               return when.may_hold_for(SymbolicValue::function(FunctionId(static_cast<std::size_t>(row.value))));
             case Passed::Kind::Place: return true;
           }
           return true;
         });
}

void LockNames::give_back(const ScanInput& input, const FunctionSummary& summary,
                          const std::vector<ReleasedLock>& released, std::vector<NamedLock>& held) {
  for (const ReleasedLock& gone : released) {
    const std::uint32_t kind = kind_of(input.program, summary, gone.lock), name = lock_path(summary, gone.lock);
    std::erase_if(held, [&](const NamedLock& l) { return l.name == kind; });
    if (std::erase_if(held, [&](const NamedLock& l) { return l.name == name; }) != 0) continue;
    std::erase_if(held,
                  [&](const NamedLock& l) { return !is_kind(l.name) && may_mean(input, summary, gone.lock, l.name); });
  }
}

bool LockNames::may_mean(const ScanInput& input, const FunctionSummary& summary, Lvalue released,
                         std::uint32_t held) const {
  const Lvalue other = names_[held].path;
  NodeId root = released.node;
  while (summary.nodes[root.index()].parent) root = summary.nodes[root.index()].parent;
  const Node& first = summary.nodes[root.index()];
  const Node& second = paths_[paths_.root(other.node)];
  const bool is_sure = names_one_object(summary.nodes, released.node);
  const bool other_is_sure = names_one_object(paths_.all(), other.node);
  if (first.kind == NodeKind::Hidden || second.kind == NodeKind::Hidden) return false;
  if (is_sure && first.kind != NodeKind::Global) return false;  // a local, or new: no caller held it
  if (is_sure && other_is_sure && (released.node == root || first.index != second.index)) return false;
  const bool is_parameter = first.kind == NodeKind::Formal && summary.nodes[released.node.index()].depth == 0;
  if (is_sure != other_is_sure && !is_parameter && !input.pointed_to[is_sure ? first.index : second.index])
    return false;
  return !assumptions_.typed_memory ||
         may_be_one_place(input.program, typed_byte(summary.nodes, released), typed_byte(paths_.all(), other));
}

std::uint32_t LockNames::kind_of(const Program& program, const FunctionSummary& summary, Lvalue lock) {
  const Node& node = summary.nodes[lock.node.index()];
  if (node.whole)
    return intern({.kind = Name::Kind::Alike, .distance = lock.offset - node.whole_offset, .parent = node.whole});
  if (node.type && program.types[node.type].kind == TypeKind::Struct)
    return intern({.kind = Name::Kind::Alike, .distance = lock.offset, .parent = node.type});
  if (node.kind != NodeKind::Element) return none;
  const NodeId array = canonical(summary, node.parent);
  if (!array) return none;
  const NodeId any = paths_.element({array, node.offset}, node.stride, Node::some_element);
  return intern({.kind = Name::Kind::Alike, .path = {any, lock.offset}, .parent = {}});
}

/// A path that begins at the data, whatever leads there; none if it does not.
NodeId LockNames::from_data(const FunctionSummary& summary, Lvalue data, NodeId id) {
  constexpr std::uint32_t the_data = ~0U;
  if (id == data.node) return paths_.intern({.kind = NodeKind::Hidden, .index = the_data});
  const Node& node = summary.nodes[id.index()];
  if (node.kind != NodeKind::Target) return {};
  const NodeId parent = from_data(summary, data, node.parent);
  const std::int32_t distance = node.parent == data.node ? data.offset : 0;
  return parent ? paths_.target({parent, node.offset - distance}, {}) : NodeId{};
}

std::uint32_t LockNames::below(const FunctionSummary& summary, Lvalue data, Lvalue lock) {
  if (lock.node == data.node) return none;
  const NodeId node = from_data(summary, data, lock.node);
  return node ? intern({.kind = Name::Kind::Below, .path = {node, lock.offset}, .parent = {}}) : none;
}

std::vector<std::uint32_t> LockNames::of_lock(const FunctionSummary& summary, Lvalue data, Lvalue lock) {
  std::vector<std::uint32_t> out;
  if (!is_trusted(summary, lock.node)) return out;
  if (const std::uint32_t name = fixed(summary, lock); name != none) out.push_back(name);
  if (const std::uint32_t name = below(summary, data, lock); name != none) out.push_back(name);
  std::uint32_t level = 0;
  for (NodeId node = data.node; node; node = summary.nodes[node.index()].parent, ++level) {
    if (node != lock.node || (level > 0 && !assumptions_.one_parent)) continue;
    Name name;
    const Node& parent = summary.nodes[node.index()];
    name.parent = parent.whole ? parent.whole : parent.type;
    if (level == 0) {
      name.kind = Name::Kind::Relative;
      name.distance = lock.offset - data.offset;
      name.parent = {};  // the same distance from the same data is the same lock, whatever it is called
    } else {
      name.kind = Name::Kind::Above;
      name.distance = lock.offset - (parent.whole ? parent.whole_offset : 0);
      name.level = level;
    }
    out.push_back(intern(name));
  }
  return out;
}

std::vector<NamedLock> LockNames::held_at(const FunctionSummary& summary, const AccessGroup& group,
                                          std::int32_t offset) {
  std::vector<NamedLock> out;
  for (const HeldLock& held : summary.locksets[group.lockset].acquired)
    for (const std::uint32_t name : of_lock(summary, {group.node, offset}, held.lock)) out.push_back({name, held.mode});
  std::ranges::sort(out);
  const auto rest = std::ranges::unique(out);
  out.erase(rest.begin(), rest.end());
  return out;
}

bool share_a_lock(const std::vector<NamedLock>& a, const std::vector<NamedLock>& b) {
  return locks::excludes_by_name(a, b, &NamedLock::name);
}

}  // namespace heddle::scan
