// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/cxx/class_hierarchy.h"

#include <algorithm>

#include "interpret/library/cxx/synthetic.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

constexpr LibraryClass known_classes[] = {
    {"St9exception", "", "std::exception"},
    {"St9bad_alloc", "St9exception", "std::bad_alloc"},
    {"St20bad_array_new_length", "St9bad_alloc", "std::bad_array_new_length"},
    {"St8bad_cast", "St9exception", "std::bad_cast"},
    {"St10bad_typeid", "St9exception", "std::bad_typeid"},
    {"St13bad_exception", "St9exception", "std::bad_exception"},
    {"St17bad_function_call", "St9exception", "bad_function_call"},
    {"St12bad_weak_ptr", "St9exception", "bad_weak_ptr"},
    {"St19bad_optional_access", "St9exception", "bad optional access"},
    {"St18bad_variant_access", "St9exception", "bad variant access"},
    {"St11logic_error", "St9exception", ""},
    {"St12out_of_range", "St11logic_error", ""},
    {"St16invalid_argument", "St11logic_error", ""},
    {"St12length_error", "St11logic_error", ""},
    {"St12domain_error", "St11logic_error", ""},
    {"St13runtime_error", "St9exception", ""},
    {"St11range_error", "St13runtime_error", ""},
    {"St14overflow_error", "St13runtime_error", ""},
    {"St15underflow_error", "St13runtime_error", ""},
    {"St12system_error", "St13runtime_error", ""},
};

}  // namespace

std::span<const LibraryClass> library_classes() { return known_classes; }

const LibraryClass* find_library_class(std::string_view name) {
  const auto it = std::ranges::find(known_classes, name, &LibraryClass::name);
  return it == std::end(known_classes) ? nullptr : &*it;
}

std::string_view ClassHierarchy::name_of(Address type) const {
  const ObjectId id = core_.memory.find(type);
  if (id == 0 || !core_.memory.object(id).global.valid()) return "";
  std::string_view name = core_.image.program.globals[core_.memory.object(id).global].name;
  return name.starts_with("_ZTI") ? name.substr(4) : "";
}

bool ClassHierarchy::is_pointer(Address type) const { return name_of(type).starts_with('P'); }

bool ClassHierarchy::convert_pointer(Address type, Address& value, Address wanted) {
  std::string_view from = name_of(type), to = name_of(wanted);
  if (!from.starts_with('P') || !to.starts_with('P')) return false;
  from.remove_prefix(1);
  to.remove_prefix(1);
  for (const char qualifier : {'V', 'K'}) {  // a handler may add const and volatile, never drop them
    const bool has = from.starts_with(qualifier), may = to.starts_with(qualifier);
    if (has && !may) return false;
    from.remove_prefix(has ? 1 : 0);
    to.remove_prefix(may ? 1 : 0);
  }
  if (from == to || (to == "v" && !from.starts_with('F'))) return true;
  const GlobalId derived = core_.image.program.find_global("_ZTI" + std::string(from));
  const GlobalId base = core_.image.program.find_global("_ZTI" + std::string(to));
  if (!derived.valid() || !base.valid()) return false;
  const std::vector<Address> parts = find(core_.image.placement.global_address[derived.index()], value,
                                          core_.image.placement.global_address[base.index()]);
  if (parts.size() != 1) return false;
  if (value != 0) value = parts.front();
  return true;
}

std::vector<Address> ClassHierarchy::find(Address type, Address object, Address wanted) {
  std::vector<Address> found;
  visit(type, object, wanted, 0, found);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

void ClassHierarchy::visit(Address type, Address object, Address wanted, int depth, std::vector<Address>& found) {
  if (type == wanted) found.push_back(object);
  if (type == wanted || type == 0 || depth > 32) return;
  const ObjectId id = core_.memory.find(type);
  if (id == 0) return;
  const Object& description = core_.memory.object(id);
  if (description.kind == ObjectKind::Library) {
    visit_library(reinterpret_cast<const char*>(description.data), object, wanted, depth, found);
    return;
  }
  if (!description.global.valid()) return;
  const Global& global = core_.image.program.globals[description.global];
  if (global.is_declaration()) {
    if (global.name.starts_with("_ZTI")) visit_library(global.name.substr(4), object, wanted, depth, found);
    return;
  }
  const std::string_view kind = kind_of(global);
  const std::uint64_t word = core_.image.pointer_bytes;
  const auto pointer = [&](Address at) { return core_.space.read_pointer(core_.space.pointer_at(at)).bits; };
  if (kind.find("__si_class_type_info") != std::string_view::npos)
    visit(pointer(type + 2 * word), object, wanted, depth + 1, found);
  if (kind.find("__vmi_class_type_info") == std::string_view::npos) return;
  const std::uint64_t count = core_.space.read_word(core_.space.pointer_at(type + 2 * word + 4), 4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Address row = type + 2 * word + 8 + i * 2 * word;
    const std::uint64_t flags = core_.space.read_word(core_.space.pointer_at(row + word), core_.image.pointer_bytes);
    const bool is_virtual = (flags & 1) != 0, is_public = (flags & 2) != 0;
    if (!is_public) continue;
    std::uint64_t offset = flags >> 8;
    if (is_virtual) {  // the offset stands in the object's virtual table
      if (word == 4)
        offset |= (flags >> 31) != 0 ? ~0ULL << 24 : 0;
      else
        offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(flags) >> 8);
      offset = pointer(pointer(object) + offset);
    }
    visit(pointer(row), (object + offset) & core_.memory.address_mask(), wanted, depth + 1, found);
  }
}

void ClassHierarchy::visit_library(std::string_view name, Address object, Address wanted, int depth,
                                   std::vector<Address>& found) {
  const LibraryClass* known = find_library_class(name);
  if (known == nullptr || known->base.empty()) return;
  visit(library_type(known->base), object, wanted, depth + 1, found);
}

std::string_view ClassHierarchy::kind_of(const Global& global) const {
  for (const Relocation& relocation : global.relocations)
    if (relocation.offset == 0 && relocation.target.kind() == Operand::Kind::Global)
      return core_.image.program.globals[relocation.target.as_global()].name;
  return "";
}

Address ClassHierarchy::library_type(std::string_view name) {
  const GlobalId global = core_.image.program.find_global("_ZTI" + std::string(name));
  if (global.valid()) return core_.image.placement.global_address[global.index()];
  const auto index = static_cast<std::uint32_t>(find_library_class(name) - known_classes);
  const ObjectId id = core_.objects.of_main(library::first_type + index, name.size() + 1);
  std::memcpy(core_.memory.object(id).data, name.data(), name.size());
  return core_.memory.object(id).base;
}

Address ClassHierarchy::library_table(std::string_view name) {
  const std::uint64_t word = core_.image.pointer_bytes;
  const GlobalId global = core_.image.program.find_global("_ZTV" + std::string(name));
  if (global.valid()) return core_.image.placement.global_address[global.index()] + 2 * word;
  const auto index = static_cast<std::uint32_t>(find_library_class(name) - known_classes);
  const Address type = library_type(name);
  const ObjectId id = core_.objects.of_main(library::first_table + index, 5 * word);
  fill_table(core_.image, core_.memory.object(id), name, type);
  return core_.memory.object(id).base + 2 * word;
}

}  // namespace heddle::interpret
