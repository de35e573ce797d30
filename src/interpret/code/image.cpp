// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/image.h"

#include <algorithm>
#include <cstring>

#include "program/model/library_globals.h"

namespace heddle::interpret {

std::string_view Image::symbol_of(FunctionId function) const {
  const std::size_t own = program.functions.size();
  if (function.index() < own) return program.functions[function].name;
  return synthetic_names[function.index() - own];
}

FunctionId Image::function_named(const std::string& name) const {
  if (const FunctionId function = program.find_function(name); function.valid()) return function;
  const auto it = std::ranges::find(synthetic_names, name);
  if (it == synthetic_names.end()) return {};
  return FunctionId(program.functions.size() + static_cast<std::size_t>(it - synthetic_names.begin()));
}

const UndefinedGlobal* Image::undefined_global(Address address) const {
  const auto it = std::ranges::upper_bound(undefined_globals, address, {}, &UndefinedGlobal::base);
  if (it == undefined_globals.begin() || address - std::prev(it)->base >= std::prev(it)->extent) return nullptr;
  return &*std::prev(it);
}

bool Image::has_known_content(const Global& global) { return !global.is_declaration() || starts_as_zero(global); }

void write_initial(const Image& image, const Global& global, std::uint8_t* to, std::uint64_t size,
                   Address address_mask) {
  if (!global.bytes.empty()) std::memcpy(to, global.bytes.data(), std::min<std::size_t>(global.bytes.size(), size));
  for (const Relocation& relocation : global.relocations) {
    const bool is_function = relocation.target.is_function();
    const Address base = is_function ? image.placement.function_address[relocation.target.index()]
                                     : image.placement.global_address[relocation.target.index()];
    const Address value = (base + static_cast<std::uint64_t>(relocation.addend)) & address_mask;
    if (relocation.offset + relocation.size <= size && relocation.size <= 8)
      std::memcpy(to + relocation.offset, &value, relocation.size);
  }
}

}  // namespace heddle::interpret
