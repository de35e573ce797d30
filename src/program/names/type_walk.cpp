// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/type_walk.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr std::size_t most_leaves = 32;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

std::string with_constant(std::string text, std::int64_t factor, std::int64_t constant) {
  if (text.empty() || text == "*") return "*";
  const bool is_sum = text.find(' ') != std::string::npos;
  if (factor != 1) text = (is_sum ? "(" + text + ")" : text) + " * " + std::to_string(factor);
  if (constant > 0) text += " + " + std::to_string(constant);
  if (constant < 0) text += " - " + std::to_string(-constant);
  return text;
}

std::string_view integer_of_size(std::int64_t bytes) {
  switch (bytes) {
    case 2: return "short";
    case 4: return "int";
    case 8: return "long";
    default: return "char";
  }
}

/// Structs with several members are one thing when all of their bytes are touched; unions and wrappers of one member
/// are what is inside.
bool is_whole(const Type& type, std::optional<std::uint64_t> size) {
  if (!size) return true;
  if (*size < type.size_bytes()) return false;
  if (*size > 16) return true;
  const auto members =
      std::ranges::count_if(type.fields, [](const Field& f) { return f.size_bits != 0 && !f.is_bitfield; });
  return type.kind == TypeKind::Struct && members > 1;
}

int fitness(const Program& program, const Place& leaf, const Wanted& wanted) {
  if (!leaf.type || leaf.offset != 0) return 0;
  const Type& type = program.types[leaf.type];
  const bool same_size = wanted.size && type.size_bytes() == *wanted.size;
  const bool points_to_record =
      type.kind == TypeKind::Pointer && type.element && is_record(program.types[type.element]);
  return (type.kind == wanted.kind ? 4 : 0) + (same_size ? 2 : 0) + (points_to_record ? 1 : 0);
}

}  // namespace

std::int64_t TypeWalk::size_of(TypeId type) const {
  return type ? static_cast<std::int64_t>(program_.types[type].size_bytes()) : 0;
}

bool TypeWalk::has_neighbours(AccessPathId object) const {
  const AccessPath* path = &table_[object];
  while (path->step == PathStep::Choice) path = &table_[path->parent];
  switch (path->step) {
    case PathStep::Dereference: return !path->is_reference;
    case PathStep::Cast:
    case PathStep::Element:
    case PathStep::PointerElement: return true;
    default: return false;
  }
}

/// Closures are classes without a name, and their call operator reaches them through `this`.
bool TypeWalk::is_closure(const Place& at) const {
  const AccessPath& object = table_[at.object];
  if (object.step != PathStep::Dereference || !program_.types[at.type].name.empty()) return false;
  const AccessPath& pointer = table_[object.parent];
  return !pointer.parent && pointer.text == "this";
}

Place TypeWalk::field(const Place& at, const Field& member) {
  AccessPath path;
  const bool is_nameless = member.is_base || member.name.empty();
  path.step = is_nameless ? PathStep::Base : PathStep::Field;
  path.parent = at.object;
  path.number = static_cast<std::int64_t>(member.offset_bits);
  path.text = is_nameless ? "" : member.name;
  path.is_capture = is_closure(at);
  const std::int64_t start = member.is_bitfield ? at.offset : path.number / 8;
  return {table_.intern(std::move(path)), member.type, at.offset - start};
}

Place TypeWalk::element(const Place& at) {
  const TypeId type = program_.types[at.type].element;
  const std::int64_t size = size_of(type);
  AccessPath path;
  path.step = PathStep::Element;
  path.parent = at.object;
  path.number = floor_divide(at.offset, size);
  const std::int64_t rest = at.offset - path.number * size;
  return {table_.intern(std::move(path)), type, rest};
}

std::vector<const Field*> TypeWalk::fields_at(const Type& type, std::int64_t first, std::int64_t end) const {
  std::vector<const Field*> out;
  const Field* flexible = nullptr;
  for (const Field& f : type.fields) {
    const auto start = static_cast<std::int64_t>(f.offset_bits);
    const bool has_no_size = f.size_bits == 0;
    if (has_no_size && f.type && program_.types[f.type].kind == TypeKind::Array && start / 8 <= first) flexible = &f;
    if (start < end * 8 && start + static_cast<std::int64_t>(f.size_bits) > first * 8) out.push_back(&f);
  }
  if (out.empty() && flexible != nullptr) out.push_back(flexible);
  return out;
}

Place TypeWalk::into_neighbour(Place at) {
  const std::int64_t size = size_of(at.type);
  if (size == 0 || !has_neighbours(at.object) || (at.offset >= 0 && at.offset < size)) return at;
  const Type& type = *type_of(at);
  if (is_record(type) && at.offset >= size && !fields_at(type, at.offset, at.offset + 1).empty()) return at;
  const bool is_exact = at.offset % size == 0;
  if (at.offset < 0 && !is_exact) return at;  // an enclosing object, not a neighbour
  AccessPath path;
  path.step = PathStep::PointerElement;
  path.parent = at.object;
  path.number = at.offset / size;
  at.offset -= path.number * size;
  at.object = table_.intern(std::move(path));
  return at;
}

void TypeWalk::collect_members(const Place& at, std::optional<std::uint64_t> size, std::vector<Place>& out) {
  const Type& type = program_.types[at.type];
  if (at.offset == 0 && is_whole(type, size)) return out.push_back(at);
  const auto length = static_cast<std::int64_t>(size.value_or(1));
  const std::vector<const Field*> touched = fields_at(type, at.offset, at.offset + std::max<std::int64_t>(length, 1));
  if (touched.empty()) out.push_back(at);
  for (const Field* f : touched) {
    Place inner = field(at, *f);
    const std::int64_t before = std::min<std::int64_t>(inner.offset, 0);
    inner.offset = std::max<std::int64_t>(inner.offset, 0);
    if (f->is_bitfield)
      out.push_back({inner.object, inner.type, 0});
    else
      collect(inner, size ? std::optional(*size + static_cast<std::uint64_t>(before)) : size, out);
  }
}

void TypeWalk::collect_elements(const Place& at, std::optional<std::uint64_t> size, std::vector<Place>& out) {
  const Type& type = program_.types[at.type];
  const std::int64_t each = size_of(type.element);
  const bool is_all =
      at.offset == 0 && (!size || (type.size_bits != 0 && *size >= type.size_bytes() && type.count > 1));
  if (each == 0 || is_all) return out.push_back(at);
  const Place first = element(at);
  const bool is_several = size && static_cast<std::int64_t>(*size) > each;
  if (is_several && first.offset == 0)
    out.push_back(first);
  else
    collect(first, size, out);
}

void TypeWalk::collect(Place at, std::optional<std::uint64_t> size, std::vector<Place>& out) {
  if (out.size() >= most_leaves) return;
  const Type* type = type_of(at);
  if (type == nullptr || at.offset < 0 || (!is_record(*type) && type->kind != TypeKind::Array))
    return out.push_back(at);
  if (is_record(*type))
    collect_members(at, size, out);
  else
    collect_elements(at, size, out);
}

std::optional<Place> TypeWalk::find(Place at, const std::function<bool(TypeId)>& matches) {
  at = into_neighbour(at);
  const Type* type = type_of(at);
  if (type == nullptr) return std::nullopt;
  if (at.offset == 0 && matches(at.type)) return at;
  if (type->kind == TypeKind::Array && size_of(type->element) > 0 && at.offset >= 0) return find(element(at), matches);
  if (!is_record(*type)) return std::nullopt;
  std::optional<Place> first;
  for (const Field* f : fields_at(*type, at.offset, at.offset + 1)) {
    const std::optional<Place> found = f->is_bitfield ? std::nullopt : find(field(at, *f), matches);
    if (found && first) return at;
    if (found) first = found;
  }
  return first;
}

/// Bytes beyond the first member: the arithmetic meant the struct around it.
Place TypeWalk::enclosing(const Place& at, const Wanted& wanted) const {
  const bool is_larger =
      wanted.size && at.outer && at.offset == 0 && static_cast<std::int64_t>(*wanted.size) > size_of(at.type);
  return is_larger ? Place{at.outer, at.outer_type, 0} : at;
}

std::vector<Place> TypeWalk::leaves(Place at, const Wanted& wanted) {
  std::vector<Place> out;
  collect(into_neighbour(enclosing(at, wanted)), wanted.size, out);
  if (out.empty()) out.push_back(at);
  // A derived class may put members into the padding of its base, which then has nothing to say about these bytes.
  const auto is_explained = [](const Place& leaf) { return leaf.offset == 0; };
  if (std::ranges::any_of(out, is_explained))
    std::erase_if(out, [&](const Place& leaf) { return !is_explained(leaf); });
  const auto fits = [&](const Place& leaf) { return fitness(program_, leaf, wanted); };
  const auto best = std::ranges::max_element(out, {}, fits);
  std::rotate(out.begin(), best, best + 1);
  return out;
}

AccessPathId TypeWalk::path_to(const Place& at) {
  if (at.offset == 0) return at.object;
  AccessPath path;
  path.parent = at.object;
  // Pointers without a type count bytes, as arithmetic on void * does; into a scalar the source went with a char *.
  const bool is_inside_scalar = at.type && !is_record(program_.types[at.type]);
  const bool counts_bytes = has_neighbours(at.object) && (!at.type || is_inside_scalar);
  if (counts_bytes && is_inside_scalar) path.parent = cast({at.object, at.type, 0}, "char", {}).object;
  path.step = counts_bytes ? PathStep::PointerElement : PathStep::Offset;
  path.number = at.offset;
  return table_.intern(std::move(path));
}

AccessPathId TypeWalk::overlap_path(Place at, const Wanted& wanted) {
  AccessPath all;
  all.step = PathStep::Overlap;
  for (const Place& leaf : leaves(at, wanted)) {
    const AccessPathId path = path_to(leaf);
    if (std::ranges::find(all.alternatives, path) == all.alternatives.end()) all.alternatives.push_back(path);
  }
  return table_.intern(std::move(all));
}

Place TypeWalk::member(Place at) {
  at = into_neighbour(at);
  const Type* type = type_of(at);
  if (type == nullptr || type->kind != TypeKind::Struct || at.offset < 0) return at;
  const std::vector<const Field*> here = fields_at(*type, at.offset, at.offset + 1);
  if (here.size() != 1 || here.front()->is_bitfield) return at;
  Place inner = field(at, *here.front());
  if (at.offset == 0) {
    inner.outer = at.object;
    inner.outer_type = at.type;
  }
  return inner;
}

Place TypeWalk::cast(const Place& at, std::string type_name, TypeId type) {
  AccessPath path;
  path.step = PathStep::Cast;
  path.parent = best_path(at, {});
  path.text = std::move(type_name);
  return {table_.intern(std::move(path)), type, 0};
}

AccessPathId TypeWalk::subscript(PathStep step, AccessPathId parent, std::int64_t factor, std::int64_t constant,
                                 const IndexSymbol& symbol) {
  AccessPath path;
  path.step = step;
  path.parent = parent;
  path.is_symbolic = true;
  path.function = symbol.function;
  path.index = symbol.value;
  path.number = constant;
  path.text = with_constant(symbol.text, factor, constant);
  return table_.intern(std::move(path));
}

std::optional<Place> TypeWalk::index_inside(const Place& at, std::int64_t stride, const IndexSymbol& symbol,
                                            ElementSize which) {
  const Type* type = type_of(at);
  if (type == nullptr || at.offset < 0) return std::nullopt;
  if (type->kind == TypeKind::Array) {
    const std::int64_t each = size_of(type->element);
    if (each > stride) return index_inside(element(at), stride, symbol, which);
    if (each == 0 || stride % each != 0 || (which == ElementSize::Exact && each != stride)) return std::nullopt;
    const std::int64_t constant = at.offset / each;
    return Place{subscript(PathStep::Element, at.object, stride / each, constant, symbol), type->element,
                 at.offset % each};
  }
  if (!is_record(*type)) return std::nullopt;
  for (const Field* f : fields_at(*type, at.offset, at.offset + 1))
    if (!f->is_bitfield)
      if (const auto found = index_inside(field(at, *f), stride, symbol, which)) return found;
  return std::nullopt;
}

Place TypeWalk::neighbour(const Place& at, std::int64_t factor, std::int64_t constant, const IndexSymbol& symbol) {
  return {subscript(PathStep::PointerElement, at.object, factor, constant, symbol), at.type, 0};
}

/// The source went through a char * (or another integer pointer) into the middle of something.
Place TypeWalk::index_bytes(const Place& at, std::int64_t stride, const IndexSymbol& symbol) {
  const std::int64_t unit = stride == 2 || stride == 4 || stride == 8 ? stride : 1;
  const bool is_exact = at.offset % unit == 0;
  Place start = is_exact ? Place{at.object, at.type, 0} : at;
  if (start.type || !has_neighbours(start.object)) start = cast(start, std::string(integer_of_size(unit)), {});
  return neighbour({start.object, {}, 0}, stride / unit, is_exact ? at.offset / unit : 0, symbol);
}

Place TypeWalk::index(Place at, std::int64_t stride, const IndexSymbol& symbol) {
  if (stride == 0) return at;
  if (at.outer && at.offset == 0 && stride == size_of(at.outer_type) && stride != size_of(at.type))
    at = {at.outer, at.outer_type, 0};
  const std::int64_t size = size_of(at.type);
  const bool can_step = has_neighbours(at.object) && size > 0;
  const bool is_short_array =
      at.type && program_.types[at.type].kind == TypeKind::Array && program_.types[at.type].count <= 1;
  if (can_step && size == stride && !is_short_array) {
    const std::int64_t constant = floor_divide(at.offset, size);
    Place next = neighbour(at, 1, constant, symbol);
    next.offset = at.offset - constant * size;
    return next;
  }
  if (stride > 0)
    for (const ElementSize which : {ElementSize::Exact, ElementSize::Divisor})
      if (const auto inside = index_inside(at, stride, symbol, which)) return *inside;
  if (can_step && stride % size == 0 && at.offset % size == 0)
    return neighbour(at, stride / size, at.offset / size, symbol);
  return index_bytes(at, stride, symbol);
}

}  // namespace heddle
