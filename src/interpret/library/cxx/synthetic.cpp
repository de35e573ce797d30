// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program does not declare and still meets at run time: virtual functions of the library's classes, and the
// standard streams as objects. Functions get identities behind the program's own.
#include <algorithm>
#include <cctype>

#include "interpret/library/cxx/class_hierarchy.h"

namespace heddle::interpret {
namespace {

bool is_cxx(const Program& program) {
  return std::ranges::any_of(program.functions, [](const Function& f) {
    return f.name.starts_with("_ZSt") || f.name.starts_with("_ZNSt") || f.name.starts_with("_ZNKSt") ||
           f.name.starts_with("__cxa_");
  });
}

std::string what_symbol(const LibraryClass& known) {
  const std::string_view holder = known.text.empty() ? "St13runtime_error" : known.name;
  return "_ZNK" + std::string(holder) + "4whatEv";
}

void put_word(Object& object, std::uint64_t offset, std::uint64_t value, std::uint32_t bytes) {
  if (offset + bytes <= object.size) std::memcpy(object.data + offset, &value, bytes);
}

}  // namespace

void Core::declare_synthetic() {
  if (!is_cxx(program)) return;
  for (const LibraryClass& known : library_classes()) {
    for (const std::string& name :
         {what_symbol(known), "_ZN" + std::string(known.name) + "D1Ev", "_ZN" + std::string(known.name) + "D0Ev"}) {
      if (program.find_function(name).valid() || std::ranges::find(synthetic_names, name) != synthetic_names.end())
        continue;
      synthetic_names.push_back(name);
      External external;
      external.kind = External::Kind::Native;
      external.native = find_native(name);
      externals.push_back(external);
    }
  }
}

std::string_view Core::symbol_of(FunctionId function) const {
  const std::size_t own = program.functions.size();
  if (function.index() < own) return program.functions[function].name;
  return synthetic_names[function.index() - own];
}

Address Core::symbol_address(const std::string& name) const {
  if (const FunctionId function = program.find_function(name); function.valid())
    return memory.function_address(function.index());
  const auto it = std::ranges::find(synthetic_names, name);
  if (it == synthetic_names.end()) return 0;
  return memory.function_address(program.functions.size() + static_cast<std::size_t>(it - synthetic_names.begin()));
}

void Core::fill_table(ObjectId id, std::string_view name, Address type) {
  Object& object = memory.object(id);
  const LibraryClass* known = find_library_class(name);
  const std::uint32_t word = pointer_bytes;
  put_word(object, word, type, word);
  put_word(object, 2 * word, symbol_address("_ZN" + std::string(name) + "D1Ev"), word);
  put_word(object, 3 * word, symbol_address("_ZN" + std::string(name) + "D0Ev"), word);
  put_word(object, 4 * word, symbol_address(what_symbol(*known)), word);
}

/// std::cout and its like, with the layout that libstdc++ has with 64 bit pointers: {virtual table, std::ios}. Inline
/// code looks at the flags, the width and the table that widens characters.
bool Core::fill_stream(ObjectId id) {
  constexpr std::uint64_t ios = 8, precision = ios + 8, flags = ios + 24, fill = ios + 224, ctype = ios + 240;
  constexpr std::uint64_t ctype_size = 576, ctype_table = 48, widen_ok = 56, widen = 57, narrow = 313, narrow_ok = 569;
  Object& stream = memory.object(id);
  if (pointer_bytes != 8 || stream.size < 272) return false;
  if (stream_table == 0) {
    stream_table = memory.allocate({ObjectKind::Library, 64, 16, 0, {}, 0, true});
    memory.object(stream_table).data[0] = ios;  // the offset of the virtual base, three words before the functions
    stream_ctype = memory.allocate({ObjectKind::Library, ctype_size, 16, 0, {}, 0, true});
    Object& facet = memory.object(stream_ctype);
    const ObjectId masks = memory.allocate({ObjectKind::Library, 512, 16, 0, {}, 0, true});
    for (int ch = 0; ch < 128; ++ch)
      if (std::isspace(ch) != 0) memory.object(masks).data[2 * ch + 1] = 0x20;
    put_word(facet, ctype_table, memory.object(masks).base, 8);
    facet.data[widen_ok] = facet.data[narrow_ok] = 1;
    for (std::uint64_t ch = 0; ch < 256; ++ch)
      facet.data[widen + ch] = facet.data[narrow + ch] = static_cast<std::uint8_t>(ch);
  }
  put_word(stream, 0, memory.object(stream_table).base + 24, 8);
  put_word(stream, precision, 6, 8);
  put_word(stream, flags, 0x1002, 4);  // dec, skipws
  stream.data[fill] = ' ';
  stream.data[fill + 1] = 1;
  put_word(stream, ctype, memory.object(stream_ctype).base, 8);
  return true;
}

}  // namespace heddle::interpret
