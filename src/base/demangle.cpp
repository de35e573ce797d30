// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace heddle {
namespace {

constexpr std::string_view symbol_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.";

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? std::string(text.get()) : symbol;
}

}  // namespace

std::string with_demangled_symbols(std::string_view text) {
  if (text.find("_Z") == std::string_view::npos) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_of(symbol_characters), text.size());
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_not_of(symbol_characters), text.size());
    const std::string word(text.substr(0, end));
    out += word.starts_with("_Z") ? demangled(word) : word;
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace heddle
