// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/format_arguments.h"

#include <string_view>

namespace heddle::api {
namespace {

constexpr std::string_view flags_and_sizes = "-+ #0'123456789.hlLqjzt";

std::optional<std::string_view> constant_text(const Program& program, Operand format) {
  if (!format.is_global()) return std::nullopt;
  const Global& global = program.globals[format.as_global()];
  if (!global.is_constant || !global.relocations.empty()) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(global.bytes.data());
  const std::string_view all(text, global.bytes.size());
  return all.substr(0, all.find('\0'));
}

FormatUse use_of(char conversion) {
  if (conversion == 'n') return FormatUse::Written;
  return conversion == 's' || conversion == 'S' ? FormatUse::Read : FormatUse::Value;
}

}  // namespace

std::optional<std::vector<FormatUse>> uses_by_format(const Program& program, Operand format) {
  const std::optional<std::string_view> text = constant_text(program, format);
  if (!text || text->contains('$')) return std::nullopt;
  std::vector<FormatUse> out;
  for (std::size_t i = text->find('%'); i < text->size(); i = text->find('%', i + 1)) {
    ++i;
    for (; i < text->size() && (flags_and_sizes.contains((*text)[i]) || (*text)[i] == '*'); ++i)
      if ((*text)[i] == '*') out.push_back(FormatUse::Value);  // a width from an argument
    if (i >= text->size()) break;
    const char conversion = (*text)[i];
    if (conversion != '%' && conversion != 'm') out.push_back(use_of(conversion));
  }
  return out;
}

}  // namespace heddle::api
