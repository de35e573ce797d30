// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/unroll.h"

#include <algorithm>

#include "judge/bmc/unroller.h"

namespace heddle::judge::bmc {

Unrolled unroll(const Program& program, const api::ApiModels& models, FunctionId main, const UnrollOptions& options) {
  constexpr int most_times = 60;
  const DataLayout& layout = program.layout;
  if (layout.pointer_bits != 32 && layout.pointer_bits != 64)
    throw NoEncoding{"its pointers have " + std::to_string(layout.pointer_bits) + " bits"};
  if (!layout.little_endian) throw NoEncoding{"the first byte of its numbers is the highest"};
  bool is_public_at_once = false;
  Shape shape(program.layout.pointer_bits);
  for (int i = 0; i < most_times; ++i) {
    shape.begin_again();
    Unroller unroller(program, models, options, shape, is_public_at_once);
    try {
      Unrolled out = unroller.run(main);
      if (!shape.has_grown()) return out;
    } catch (const StartsOnSomeWays&) {
      is_public_at_once = true;
      shape = Shape(program.layout.pointer_bits);
    }
  }
  throw NoEncoding{"it is not settled where its pointers lead"};
}

Unroller::Unroller(const Program& program, const api::ApiModels& models, const UnrollOptions& options, Shape& shape,
                   bool is_public_at_once)
    : program_(program), models_(models), options_(options), shape_(shape), is_public_at_once_(is_public_at_once) {
  sets_.emplace_back();
  set_numbers_[{}] = 0;
  values_.emplace_back();
}

Unrolled Unroller::run(FunctionId main) {
  main_ = main;
  thread_object_ = shape_.object({.kind = ObjectKey::Kind::Thread}, 1);
  thread_of_[thread_object_] = 0;
  execution_.threads.emplace_back();
  execution_.threads[0].begin = new_point();
  Path path;
  path.is_public = is_public_at_once_;
  for (const FunctionId constructor : program_.constructors) {
    if (path.condition.is_no()) break;
    path = function(constructor, {}, std::move(path), shape_.context({0, constructor.index()}), nullptr).first;
  }
  std::vector<ValueNumber> arguments;
  for (const TypeId type : program_.functions[main].parameters)
    arguments.push_back(keep({constant(arguments.empty() ? 1 : 0, width_of(type)), 0}));
  function(main, std::move(arguments), std::move(path), shape_.context({0}), nullptr);
  for (std::size_t i = 0; i < starts_.size(); ++i) thread(Start(starts_[i]));
  join_threads();
  Unrolled out;
  for (const UnrolledEvent& event : execution_.events)
    for (const CellTouch& touch : event.touches)
      if (!out.initial.contains(touch.cell)) {
        const Cell& cell = touch.cell;
        out.initial[cell] = read_private({}, {cell.object, cell.begin, Bit::yes()}, cell.end - cell.begin).bits;
      }
  out.circuit = std::move(circuit_);
  out.execution = std::move(execution_);
  return out;
}

Unroller::SetNumber Unroller::set_of(const std::set<Target>& targets) {
  const auto [known, is_new] = set_numbers_.try_emplace(targets, static_cast<SetNumber>(sets_.size()));
  if (is_new) sets_.push_back(targets);
  return known->second;
}

/// So many bytes on, and then any number of steps inside of the object.
Unroller::SetNumber Unroller::moved(SetNumber targets, std::uint64_t by, std::uint64_t step) {
  if (targets == 0 || (by == 0 && step == 0)) return targets;
  constexpr std::size_t many = 200;
  const std::uint64_t room = std::uint64_t{1} << shape_.offset_bits(), mask = room - 1;
  std::set<Target> out;
  for (const Target& one : sets_[targets]) {
    if (one.offset == any_offset) {
      out.insert(one);
    } else if (step == 0) {
      out.insert({one.object, (one.offset + by) & mask});
    } else if (shape_[one.object].bytes / step > many) {
      out.insert({one.object, any_offset});
    } else {
      const std::uint64_t from = (one.offset + by) & mask;
      const std::uint64_t behind = (room - from) % step;  // of one before the object
      const std::uint64_t first = from < room / 2 ? from % step : (step - behind) % step;
      for (std::uint64_t at = first; at <= shape_[one.object].bytes; at += step) out.insert({one.object, at});
    }
  }
  return out.size() > 2 * many ? somewhere(set_of(out)) : set_of(out);
}

/// Computed in a way that is not followed: anywhere in these objects.
Unroller::SetNumber Unroller::somewhere(SetNumber targets) {
  std::set<Target> out;
  for (const Target& one : sets_[targets]) out.insert({one.object, any_offset});
  return set_of(out);
}

std::set<ObjectNumber> Unroller::objects_of(SetNumber targets) const {
  std::set<ObjectNumber> out;
  for (const Target& one : sets_[targets]) out.insert(one.object);
  return out;
}

Unroller::SetNumber Unroller::join_sets(SetNumber a, SetNumber b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const auto [known, is_new] = joined_.try_emplace(std::minmax(a, b), 0);
  if (is_new) {
    std::set<Target> all = sets_[a];
    all.insert(sets_[b].begin(), sets_[b].end());
    known->second = set_of(all);
  }
  return known->second;
}

Unroller::ValueNumber Unroller::keep(Value value) {
  values_.push_back(std::move(value));
  return static_cast<ValueNumber>(values_.size() - 1);
}

Unroller::Value Unroller::choose_value(Bit condition, const Value& a, const Value& b) {
  if (condition.is_yes()) return a;
  if (condition.is_no()) return b;
  return {choose(circuit_, condition, a.bits, b.bits), join_sets(a.leads, b.leads)};
}

/// Exactly one condition holds. A value that is missing is not looked at where its condition holds.
Unroller::ValueNumber Unroller::merge_values(const std::vector<Bit>& conditions,
                                             const std::vector<ValueNumber>& values) {
  ValueNumber out = 0;
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i] == 0 || values[i] == out) continue;
    if (out == 0) {
      out = values[i];
      continue;
    }
    if (values_[values[i]].bits.size() != values_[out].bits.size()) throw NoEncoding{"it mixes values of two widths"};
    out = keep(choose_value(conditions[i], Value(values_[values[i]]), Value(values_[out])));
  }
  return out;
}

Unroller::Path Unroller::merge_paths(std::vector<Path> paths) {
  if (paths.size() == 1) return std::move(paths.front());
  std::vector<Bit> conditions;
  Path out;
  out.section = paths.front().section;
  out.section_depth = paths.front().section_depth;
  out.is_public = paths.front().is_public;
  for (const Path& path : paths) {
    conditions.push_back(path.condition);
    if (path.is_public != out.is_public) throw StartsOnSomeWays{};
    if (path.section != out.section || path.section_depth != out.section_depth)
      throw NoEncoding{"an atomic section begins or ends on some ways only"};
    for (const auto& [place, value] : path.memory) out.memory.try_emplace(place, 0);
  }
  for (auto& [place, merged] : out.memory) {
    std::vector<ValueNumber> values;
    bool are_same = true;
    for (const Path& path : paths) {
      const auto known = path.memory.find(place);
      values.push_back(known != path.memory.end() ? known->second : 0);
      are_same &= values.back() == values.front();
    }
    if (are_same) {
      merged = values.front();
      continue;
    }
    for (ValueNumber& value : values)
      if (value == 0) value = keep(initial_chunk(place));
    merged = merge_values(conditions, values);
  }
  // Ways that parted last meet first, so that conditions become what they were.
  for (bool is_done = false; !is_done && conditions.size() > 1;) {
    is_done = true;
    for (std::size_t i = 0; is_done && i + 1 < conditions.size(); ++i)
      for (std::size_t k = i + 1; k < conditions.size(); ++k)
        if (const auto joined = circuit_.joined(conditions[i], conditions[k])) {
          conditions[i] = *joined;
          conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(k));
          is_done = false;
          break;
        }
  }
  out.condition = Bit::no();
  for (const Bit condition : conditions) out.condition = circuit_.either(out.condition, condition);
  return out;
}

std::uint64_t Unroller::width_of(TypeId type) const {
  const Type& of = program_.types[type];
  switch (of.kind) {
    case TypeKind::Int:
    case TypeKind::Float: return of.value_bits;
    case TypeKind::Pointer: return program_.layout.pointer_bits;
    case TypeKind::Void: return 0;
    case TypeKind::Array:
    case TypeKind::Struct: return of.size_bits;
    default: throw NoEncoding{"it has values of a kind that is not treated, such as vectors"};
  }
}

}  // namespace heddle::judge::bmc
