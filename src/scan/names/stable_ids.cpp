// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names/stable_ids.h"

#include <bit>

namespace heddle::scan {
namespace {

/// Nameless constants by what they hold: the number in `.str.12` is how many came before.
std::uint64_t name_of(const Program& program, const Global& global) {
  if (global.linkage != Linkage::Internal || !global.source_name.empty()) return Hasher().add(global.name).finish().low;
  Hasher h;
  const std::size_t unit = global.name.find('@');
  h.add(unit == std::string_view::npos ? std::string_view{} : global.name.substr(unit));
  h.add(global.size).add(global.is_constant ? 1 : 0);
  h.add(std::string_view(reinterpret_cast<const char*>(global.bytes.data()), global.bytes.size()));
  for (const Relocation& r : global.relocations) {
    h.add(r.offset).add(static_cast<std::uint64_t>(r.addend));
    if (r.target.is_function()) h.add(program.functions[r.target.as_function()].name);
    if (r.target.is_global()) h.add(program.globals[r.target.as_global()].source_name);
  }
  return h.finish().low;
}

}  // namespace

void StableIds::Names::begin(std::size_t rows) {
  names.reserve(rows);
  buckets.assign(std::bit_ceil(rows * 2 + 1), {0, 0});
}

void StableIds::Names::add(std::uint64_t name) {
  const auto row = static_cast<std::uint32_t>(names.size());
  if (name != 0)
    for (std::uint64_t twin = 1;; ++twin) {
      std::size_t at = name & (buckets.size() - 1);
      while (buckets[at].first != 0 && buckets[at].first != name) at = (at + 1) & (buckets.size() - 1);
      if (buckets[at].first == 0) {
        buckets[at] = {name, row};
        break;
      }
      name = Hasher().add(name).add(twin).finish().low | 1;
    }
  names.push_back(name);
}

std::uint32_t StableIds::Names::find(std::uint64_t name) const {
  if (name == 0) return TypeId::none_value;
  for (std::size_t at = name & (buckets.size() - 1); buckets[at].first != 0; at = (at + 1) & (buckets.size() - 1))
    if (buckets[at].first == name) return buckets[at].second;
  return TypeId::none_value;
}

std::uint64_t StableIds::name_type(const Program& program, TypeId id, std::vector<std::uint64_t>& known, int depth) {
  constexpr int deepest = 64;
  if (!id || depth > deepest) return 0;
  if (known[id.index()] != 0) return known[id.index()];
  const Type& type = program.types[id];
  const bool is_record = type.kind == TypeKind::Struct || type.kind == TypeKind::Union;
  Hasher h;
  h.add(static_cast<std::uint64_t>(type.kind)).add(type.is_source ? 1 : 0).add(type.name);
  known[id.index()] = h.finish().low | 1;  // for who comes back here in a circle
  if (!is_record || type.name.empty()) {
    h.add(type.size_bits).add(type.count).add(type.is_signed ? 1 : 0);
    h.add(name_type(program, type.element, known, depth + 1));
    for (const TypeId parameter : type.parameters) h.add(name_type(program, parameter, known, depth + 1));
    for (const Field& field : type.fields)
      h.add(field.name).add(field.offset_bits).add(name_type(program, field.type, known, depth + 1));
  }
  return known[id.index()] = h.finish().low | 1;
}

StableIds::StableIds(const Program& program) {
  functions_.begin(program.functions.size());
  for (const Function& f : program.functions) functions_.add(Hasher().add(f.name).finish().low | 1);
  globals_.begin(program.globals.size());
  for (const Global& g : program.globals) globals_.add(name_of(program, g) | 1);
  types_.begin(program.types.size());
  std::vector<std::uint64_t> known(program.types.size());
  for (std::size_t i = 0; i < program.types.size(); ++i)
    types_.add(program.types[TypeId(i)].is_source ? name_type(program, TypeId(i), known, 0) : 0);
}

}  // namespace heddle::scan
