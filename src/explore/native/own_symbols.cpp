// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/own_symbols.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <map>
#include <string_view>

#include "base/read_file.h"

namespace heddle::explore {
namespace {

/// The program is the first object that is listed.
std::uint64_t load_address() {
  std::uint64_t base = 0;
  const auto first = [](dl_phdr_info* info, std::size_t, void* out) {
    *static_cast<std::uint64_t*>(out) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(first, &base);
  return base;
}

/// Rows of a section; none if it is not whole.
template <class Row>
std::span<const Row> rows_at(std::string_view file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset || offset % alignof(Row) != 0) return {};
  return {reinterpret_cast<const Row*>(file.data() + offset), size / sizeof(Row)};
}

class SymbolFinder {
 public:
  explicit SymbolFinder(std::span<const SideTable::Symbol> symbols) : symbols_(symbols), found_(symbols.size()) {
    for (std::size_t i = 0; i < symbols.size(); ++i) number_[symbols[i].name] = i;
  }

  std::vector<std::uint64_t> run(std::string_view file) {
    const auto head = rows_at<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
    if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0) return found_;
    const auto sections = rows_at<ElfW(Shdr)>(file, head[0].e_shoff, head[0].e_shnum * sizeof(ElfW(Shdr)));
    for (const auto& section : sections) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
      const auto& names = sections[section.sh_link];
      const auto text = rows_at<char>(file, names.sh_offset, names.sh_size);
      for (const auto& symbol : rows_at<ElfW(Sym)>(file, section.sh_offset, section.sh_size))
        look_at(symbol, {text.data(), text.size()});
    }
    return found_;
  }

 private:
  static constexpr std::uint64_t several = ~std::uint64_t{0};

  void look_at(const ElfW(Sym) & symbol, std::string_view names) {
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || (type != STT_OBJECT && type != STT_FUNC) || symbol.st_name >= names.size())
      return;
    const std::string_view rest = names.substr(symbol.st_name);
    const auto number = number_.find(rest.substr(0, rest.find('\0')));
    if (number == number_.end()) return;
    const std::uint64_t size = symbols_[number->second].size;
    const bool fits = size == 0 ? type == STT_FUNC : type == STT_OBJECT && symbol.st_size == size;
    std::uint64_t& found = seen_[number->second];
    found = found == 0 && fits ? base_ + symbol.st_value : several;
    found_[number->second] = found == several ? 0 : found;
  }

  std::span<const SideTable::Symbol> symbols_;
  std::map<std::string_view, std::size_t> number_;
  std::map<std::size_t, std::uint64_t> seen_;
  std::vector<std::uint64_t> found_;
  std::uint64_t base_ = load_address();
};

}  // namespace

std::vector<std::uint64_t> own_addresses(std::span<const SideTable::Symbol> symbols) {
  const Result<std::string> file = read_file("/proc/self/exe");
  return file ? SymbolFinder(symbols).run(*file) : std::vector<std::uint64_t>(symbols.size());
}

}  // namespace heddle::explore
