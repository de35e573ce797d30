// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/code/code_template.h"

#include <algorithm>
#include <set>

namespace heddle::api {
namespace {

constexpr std::string_view begin_mark = "//@ template ";
constexpr std::string_view end_mark = "//@ end\n";
constexpr std::string_view place_mark = "//@ line ";

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// Every `$( … )`, once per parameter. There are no brackets inside.
std::string with_parameters(std::string_view text, const std::vector<std::string>& types) {
  std::string out;
  while (true) {
    const std::size_t open = text.find("$(");
    const std::size_t close = open == std::string_view::npos ? open : text.find(')', open);
    out += text.substr(0, open);
    if (close == std::string_view::npos) return out;
    for (std::size_t i = 0; i < types.size(); ++i) {
      std::string one(text.substr(open + 2, close - open - 2));
      replace_all(one, "$T", types[i]);
      replace_all(one, "$i", std::to_string(i));
      out += one;
    }
    text.remove_prefix(close + 1);
  }
}

/// All of it stands at the first call, so that reports lead there.
std::string at_line(std::string_view text, const TemplateUse& use) {
  if (use.file.empty()) return std::string(text);
  const std::string mark = "#line " + std::to_string(use.line) + " " + quoted(use.file) + "\n";
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    out += mark + std::string(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return out;
}

/// Where in which file a line of the text stands.
struct Place {
  std::string file;
  std::uint32_t line = 1;

  void pass(std::string_view text) {
    const std::size_t mark = text.rfind(place_mark);
    if (mark != std::string_view::npos) {
      const std::string_view rest = text.substr(mark + place_mark.size());
      line = static_cast<std::uint32_t>(std::stoul(std::string(rest.substr(0, rest.find(' ')))));
      file = rest.substr(rest.find(' ') + 1, rest.find('\n') - rest.find(' ') - 1);
      text = rest.substr(rest.find('\n') + 1);
    }
    line += static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
  }
  [[nodiscard]] std::string directive() const { return "#line " + std::to_string(line) + " " + quoted(file) + "\n"; }
};

/// The text with marks turned into directives.
std::string placed(std::string_view text) {
  std::string out;
  for (std::size_t at = text.find(place_mark); at != std::string_view::npos; at = text.find(place_mark)) {
    Place place;
    const std::size_t end = text.find('\n', at) + 1;
    place.pass(text.substr(at, end - at));
    out += std::string(text.substr(0, at)) + place.directive();
    text.remove_prefix(end);
  }
  return out + std::string(text);
}

std::string written(std::string_view part, const TemplateUse& use) {
  std::string out = with_parameters(part, use.types);
  replace_all(out, "$k", std::to_string(use.number));
  replace_all(out, "$does_more", use.does_more ? "1" : "0");
  replace_all(out, "\"$entry\"", quoted(use.entry));
  replace_all(out, "\"$symbol\"", quoted(use.symbol));
  return at_line(out, use);
}

std::string lists(std::string_view text, const std::vector<TemplateUse>& uses) {
  std::string out;
  for (std::size_t at = text.find(begin_mark); at != std::string_view::npos; at = text.find(begin_mark, at + 1)) {
    const std::size_t from = at + begin_mark.size();
    const std::string name(text.substr(from, text.find('\n', from) - from));
    out += "#define HEDDLE_EACH_" + name + "(DO)";
    for (const TemplateUse& use : uses)
      if (use.part == name) out += " DO(" + std::to_string(use.number) + ")";
    out += "\n";
  }
  return out;
}

}  // namespace

std::string line_mark(std::uint32_t line, std::string_view file) {
  return std::string(place_mark) + std::to_string(line) + " " + std::string(file) + "\n";
}

Result<std::string> write_out(std::string_view text, const std::vector<TemplateUse>& uses, const std::string& name) {
  std::set<std::string, std::less<>> seen;
  std::string out = lists(text, uses);
  Place at_place{name, 1};
  const auto take = [&](std::size_t count) {
    const std::string_view taken = text.substr(0, count);
    at_place.pass(taken);
    text.remove_prefix(taken.size());
    return taken;
  };
  const auto resume = [&] { out += at_place.directive(); };
  resume();
  for (std::size_t at = text.find(begin_mark); at != std::string_view::npos; at = text.find(begin_mark)) {
    out += placed(take(at));
    take(begin_mark.size());
    std::string part(take(text.find('\n')));
    take(1);
    const std::size_t end = text.find(end_mark);
    if (end == std::string_view::npos) return error(name + ": the template '" + part + "' does not end");
    const std::string_view body = take(end);
    take(end_mark.size());
    for (const TemplateUse& use : uses)
      if (use.part == part) out += written(body, use);
    seen.insert(std::move(part));
    resume();
  }
  out += placed(text);
  for (const TemplateUse& use : uses)
    if (!seen.contains(use.part)) return error(name + ": there is no template '" + use.part + "'");
  return out;
}

}  // namespace heddle::api
