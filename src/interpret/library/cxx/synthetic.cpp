// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/cxx/synthetic.h"

#include <algorithm>
#include <cctype>

#include "interpret/library/cxx/class_hierarchy.h"
#include "interpret/library/natives.h"

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

/// 0: no such function.
Address symbol_address(const Image& image, const std::string& name) {
  const FunctionId function = image.function_named(name);
  return function.valid() ? Memory::function_address(function.index()) : 0;
}

}  // namespace

void declare_synthetic(Image& image) {
  if (!is_cxx(image.program)) return;
  for (const LibraryClass& known : library_classes()) {
    for (const std::string& name :
         {what_symbol(known), "_ZN" + std::string(known.name) + "D1Ev", "_ZN" + std::string(known.name) + "D0Ev"}) {
      if (image.function_named(name).valid()) continue;
      image.synthetic_names.push_back(name);
      External external;
      external.kind = External::Kind::Native;
      external.native = find_native(name);
      image.externals.push_back(external);
    }
  }
}

void fill_table(const Image& image, Object& object, std::string_view name, Address type) {
  const LibraryClass* known = find_library_class(name);
  const std::uint32_t word = image.pointer_bytes;
  put_word(object, word, type, word);
  put_word(object, 2 * word, symbol_address(image, "_ZN" + std::string(name) + "D1Ev"), word);
  put_word(object, 3 * word, symbol_address(image, "_ZN" + std::string(name) + "D0Ev"), word);
  put_word(object, 4 * word, symbol_address(image, what_symbol(*known)), word);
}

namespace {
constexpr std::uint64_t ios = 8;  // where std::ios lies in a stream
}

void StreamMaker::make_facets() {
  constexpr std::uint64_t ctype_size = 576, masks_at = 48, widen_ok = 56, widen = 57, narrow = 313, narrow_ok = 569;
  table_ = memory_.allocate({ObjectKind::Library, 64, 16, 0, {}, 0, true});
  memory_.object(table_).data[0] = ios;  // the offset of the virtual base, three words before the functions
  ctype_ = memory_.allocate({ObjectKind::Library, ctype_size, 16, 0, {}, 0, true});
  const ObjectId masks = memory_.allocate({ObjectKind::Library, 512, 16, 0, {}, 0, true});
  for (int ch = 0; ch < 128; ++ch)
    if (std::isspace(ch) != 0) memory_.object(masks).data[2 * ch + 1] = 0x20;
  Object& facet = memory_.object(ctype_);
  put_word(facet, masks_at, memory_.object(masks).base, 8);
  facet.data[widen_ok] = facet.data[narrow_ok] = 1;
  for (std::uint64_t ch = 0; ch < 256; ++ch)
    facet.data[widen + ch] = facet.data[narrow + ch] = static_cast<std::uint8_t>(ch);
}

void StreamMaker::fill(ObjectId id) {
  constexpr std::uint64_t precision = ios + 8, flags = ios + 24, fill = ios + 224, ctype = ios + 240;
  if (memory_.pointer_bytes() != 8 || memory_.object(id).size < 272) return;
  if (table_ == 0) make_facets();
  Object& stream = memory_.object(id);
  put_word(stream, 0, memory_.object(table_).base + 24, 8);
  put_word(stream, precision, 6, 8);
  put_word(stream, flags, 0x1002, 4);  // dec, skipws
  stream.data[fill] = ' ';
  stream.data[fill + 1] = 1;
  put_word(stream, ctype, memory_.object(ctype_).base, 8);
}

}  // namespace heddle::interpret
