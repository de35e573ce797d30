// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_path.h"

#include <algorithm>
#include <functional>

namespace heddle {
namespace {

std::uint64_t hash_of(const AccessPath& path) {
  const auto two = [](std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; };
  const auto flags = static_cast<std::uint32_t>(path.is_reference) << 2 |
                     static_cast<std::uint32_t>(path.is_capture) << 1 | static_cast<std::uint32_t>(path.is_symbolic);
  std::uint64_t hash = mixed(two(static_cast<std::uint32_t>(path.step), flags), std::hash<std::string>{}(path.text));
  hash = mixed(hash, two(path.parent.index(), path.function.index()));
  hash = mixed(mixed(hash, path.index), static_cast<std::uint64_t>(path.number));
  for (const AccessPathId alternative : path.alternatives) hash = mixed(hash, alternative.index());
  return hash;
}

std::string subscript(const AccessPath& path) { return path.is_symbolic ? path.text : std::to_string(path.number); }

/// `i` and `2` make `i + 2`; an index without a name swallows everything.
std::string sum(const AccessPath& left, const AccessPath& right) {
  if (!left.is_symbolic && !right.is_symbolic) return std::to_string(left.number + right.number);
  if (subscript(left) == "*" || subscript(right) == "*") return "*";
  if (!right.is_symbolic && right.number < 0) return subscript(left) + " - " + std::to_string(-right.number);
  return subscript(left) + " + " + subscript(right);
}

}  // namespace

AccessPathTable::Facts AccessPathTable::facts_of(const AccessPath& path) const {
  Facts facts;
  facts.is_complete = path.step != PathStep::Unknown && path.step != PathStep::Offset;
  if (path.parent) {
    facts.depth = facts_[path.parent.index()].depth + 1;
    facts.is_complete = facts.is_complete && is_complete(path.parent);
  }
  for (const AccessPathId alternative : path.alternatives) {
    facts.depth = std::max(facts.depth, facts_[alternative.index()].depth + 1);
    facts.is_complete = facts.is_complete && is_complete(alternative);
  }
  return facts;
}

AccessPathId AccessPathTable::intern(AccessPath path) {
  if (path.step == PathStep::PointerElement && !path.is_symbolic && path.number == 0) return path.parent;
  if (path.step == PathStep::Overlap && path.alternatives.size() == 1) return path.alternatives.front();
  const auto row = [&](std::uint32_t number) -> const AccessPath& { return rows_[AccessPathId(number - 1)]; };
  slots_.make_room(rows_.size(), [&](std::uint32_t number) { return hash_of(row(number)); });
  std::uint32_t& slot = slots_.find(hash_of(path), [&](std::uint32_t number) { return row(number) == path; });
  if (slot != 0) return AccessPathId(slot - 1);
  facts_.push_back(facts_of(path));
  slot = static_cast<std::uint32_t>(rows_.size() + 1);
  return rows_.add(std::move(path));
}

AccessPathId AccessPathTable::root(AccessPathId id) const {
  while (true) {
    const AccessPath& path = rows_[id];
    if (path.step == PathStep::Overlap)
      id = path.alternatives.front();
    else if (path.parent)
      id = path.parent;
    else
      return id;
  }
}

AccessPathId AccessPathTable::skip_choices(AccessPathId id) const {
  while (rows_[id].step == PathStep::Choice) id = rows_[id].parent;
  return id;
}

/// Whether the object is what some pointer expression points to, so that its members are written with `->`. Base
/// classes and anonymous members write nothing of their own, so they hand the question on.
bool AccessPathTable::is_behind_pointer(AccessPathId id) const {
  const AccessPath& path = rows_[id];
  switch (path.step) {
    case PathStep::Dereference: return !path.is_reference;
    case PathStep::Cast:
    case PathStep::Container: return true;
    case PathStep::Base:
    case PathStep::Choice: return is_behind_pointer(path.parent);
    default: return false;
  }
}

/// The pointer to the object, such that `->`, `[` or a cast can be written next to it.
std::string AccessPathTable::pointer_operand(AccessPathId id) const {
  const AccessPath& path = rows_[skip_choices(id)];
  switch (path.step) {
    case PathStep::Dereference:
      return path.is_reference ? "(&" + print(path.parent) + ")" : object_operand(path.parent);
    case PathStep::Cast: return "((" + path.text + " *)" + print_address(path.parent) + ")";
    case PathStep::Container: return "container_of(" + print_address(path.parent) + ", " + path.text + ")";
    case PathStep::Base: return pointer_operand(path.parent);
    default: return "(&" + print(id) + ")";
  }
}

/// The object, such that `.` or `[` can be written behind it.
std::string AccessPathTable::object_operand(AccessPathId id) const {
  const std::string text = print(id);
  const bool is_prefix_form = is_behind_pointer(id) || rows_[skip_choices(id)].step == PathStep::Offset;
  return is_prefix_form || rows_[skip_choices(id)].step == PathStep::Overlap ? "(" + text + ")" : text;
}

std::string AccessPathTable::print_address(AccessPathId id) const {
  const std::string operand = pointer_operand(id);
  const bool is_wrapped_address = operand.starts_with("(&");
  return is_wrapped_address ? operand.substr(1, operand.size() - 2) : operand;
}

std::string AccessPathTable::print_field(const AccessPath& field) const {
  if (field.is_capture) return field.text;
  if (is_behind_pointer(field.parent)) return pointer_operand(field.parent) + "->" + field.text;
  return object_operand(field.parent) + "." + field.text;
}

/// (&a[i])[1] is a[i + 1].
std::string AccessPathTable::print_neighbour(const AccessPath& path) const {
  const AccessPath& before = rows_[skip_choices(path.parent)];
  if (before.step == PathStep::Element) return object_operand(before.parent) + "[" + sum(before, path) + "]";
  if (before.step == PathStep::PointerElement) {
    const std::string operand = pointer_operand(before.parent);
    return operand + "[" + sum(before, path) + "]";
  }
  return pointer_operand(path.parent) + "[" + subscript(path) + "]";
}

std::string AccessPathTable::print_overlap(const AccessPath& overlap) const {
  std::string out;
  for (const AccessPathId alternative : overlap.alternatives) out += (out.empty() ? "" : "|") + print(alternative);
  return out;
}

std::string AccessPathTable::print(AccessPathId id) const {
  const AccessPath& path = rows_[id];
  switch (path.step) {
    case PathStep::Parameter:
    case PathStep::Local:
    case PathStep::Global:
    case PathStep::CallResult:
    case PathStep::Allocation: return path.text;
    case PathStep::Unknown: return path.text.empty() ? "?" : path.text;
    case PathStep::Field: return print_field(path);
    case PathStep::Base:
    case PathStep::Choice: return print(path.parent);
    case PathStep::Dereference: return (path.is_reference ? "" : "*") + print(path.parent);
    case PathStep::Element: return object_operand(path.parent) + "[" + subscript(path) + "]";
    case PathStep::PointerElement: return print_neighbour(path);
    case PathStep::Cast: return "*(" + path.text + " *)" + print_address(path.parent);
    case PathStep::Container: return "*" + pointer_operand(id);
    case PathStep::Offset: return "*(" + print_address(path.parent) + " + " + std::to_string(path.number) + " bytes)";
    case PathStep::Overlap: return print_overlap(path);
  }
  fail_check("path.step", "no such PathStep");
}

}  // namespace heddle
