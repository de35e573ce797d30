// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/short_names.h"

#include <algorithm>
#include <array>

namespace heddle::report {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// Behind the bracket that closes the one at `open`; npos: there is none.
std::size_t end_of_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const bool is_arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && !is_arrow && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

/// The `<` of `operator<` opens nothing.
bool is_operator_name(std::string_view before) {
  while (before.ends_with('<')) before.remove_suffix(1);
  return before.ends_with("operator");
}

/// `$_0`, `$_12` at the position: its end; the position itself if there is none.
std::size_t end_of_closure(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("$_")) return at;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789", at + 2), text.size());
  return digits == at + 2 ? at : digits;
}

std::string with_lambdas_named(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_closure(text, i);
    if (end == i) {
      out += text[i++];
      continue;
    }
    out += "lambda";
    i = end;
    constexpr std::string_view call = "::operator()";
    if (text.substr(i).starts_with(call)) i += call.size();
  }
  return out;
}

}  // namespace

bool is_library_file(std::string_view path) {
  constexpr std::array<std::string_view, 4> folders{"/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/local/include/"};
  return path.contains("/include/c++/") || path.contains("/lib/clang/") || path.contains("/lib/gcc/") ||
         std::ranges::any_of(folders, [&](std::string_view folder) { return path.starts_with(folder); });
}

std::string short_name(std::string_view function) {
  constexpr std::size_t most_arguments = 12;
  std::string out;
  for (std::size_t i = 0; i < function.size();) {
    const bool opens = function[i] == '<' && !is_operator_name(function.substr(0, i));
    const std::size_t end = opens ? end_of_bracket(function, i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += function[i++];
      continue;
    }
    const std::string_view inside = function.substr(i, end - i);
    out += inside.size() <= most_arguments ? inside : std::string_view("<…>");
    i = end;
  }
  out = with_lambdas_named(out);
  replace_all(out, "std::__cxx11::", "std::");
  replace_all(out, "(anonymous namespace)::", "");
  return out;
}

std::string_view member_of(std::string_view path) {
  while (path.ends_with(']') && path.contains('[')) path = path.substr(0, path.rfind('['));
  const std::size_t point = path.find_last_of(".>");
  return point == std::string_view::npos ? path : path.substr(point + 1);
}

ReportFrame user_frame(const ReportAccess& access) {
  ReportFrame own{access.file, access.line, access.column, access.function};
  if (!is_library_file(access.file)) return own;
  const auto frame = std::ranges::find_if(
      access.stack, [](const ReportFrame& f) { return !f.file.empty() && !is_library_file(f.file); });
  return frame == access.stack.end() ? own : *frame;
}

std::string thread_name(const ReportThread& thread) {
  return short_name(thread.name.empty() ? thread.entry : thread.name);
}

}  // namespace heddle::report
