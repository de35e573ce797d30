// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/build_identity.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <string_view>

namespace heddle {
namespace {

void append_hex(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
}

/// The notes of one segment: a header, a name and a description each, the latter two padded to words.
void read_notes(std::string_view notes, std::string& out) {
  const auto padded = [](std::size_t size) { return (size + 3) & ~std::size_t{3}; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head{};
    std::memcpy(&head, notes.data(), sizeof head);
    notes.remove_prefix(sizeof head);
    const std::size_t name = padded(head.n_namesz), description = padded(head.n_descsz);
    if (name + description > notes.size()) return;
    if (head.n_type == NT_GNU_BUILD_ID && notes.starts_with("GNU")) append_hex(out, notes.substr(name, head.n_descsz));
    notes.remove_prefix(name + description);
  }
}

/// The first object is the program itself.
int read_first(dl_phdr_info* info, std::size_t, void* out) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* begin = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
    read_notes({begin, segment.p_memsz}, *static_cast<std::string*>(out));
  }
  return 1;
}

}  // namespace

std::string build_identity() {
  std::string out;
  dl_iterate_phdr(read_first, &out);
  return out;
}

}  // namespace heddle
