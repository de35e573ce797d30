// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "depend/tree/tree_json.h"
#include "depend/tree/tree_page.h"
#include "depend/tree/tree_text.h"
#include "host/json_reader.h"

namespace heddle::depend {
namespace {

constexpr std::uint32_t most_lines = 100000;

/// JSON inside of a script element: nothing in it may end the element.
std::string without_tags(std::string json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

/// The lines of every file that a node stands in, up to some behind the last of them.
std::string sources_json(NodeLabels& labels, const std::vector<SearchedTree>& trees) {
  constexpr std::uint32_t behind = 200;
  std::map<std::string, std::uint32_t> last;
  for (const SearchedTree& one : trees)
    for (const TreeNode& node : one.tree.nodes) {
      if (!node.node) continue;
      const NodePlace place = labels.place(node.node);
      if (place.file.empty()) continue;
      std::uint32_t& line = last[place.file];
      line = std::max(line, place.line);
    }
  std::string out;
  for (const auto& [file, line] : last) {
    const std::uint32_t end = std::min({line + behind, labels.sources().line_count(file), most_lines});
    std::string lines;
    for (std::uint32_t i = 1; i <= end; ++i)
      lines += (i == 1 ? "" : ",") + host::json_string(labels.sources().line(file, i));
    if (end > 0) out += (out.empty() ? "" : ",\n") + host::json_string(file) + ": [" + lines + "]";
  }
  return "{" + out + "}";
}

}  // namespace

std::string trees_html(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees) {
  const std::string json =
      "{\"trees\": " + trees_json_list(graph, labels, trees) + ",\n\"sources\": " + sources_json(labels, trees) + "}";
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "script-src 'unsafe-inline'\">\n<title>heddle depend</title>\n<style>" +
         std::string(tree_page_style) +
         "</style></head><body>\n<header><h1>heddle depend</h1>root <select id=\"roots\"></select>\n"
         "<button id=\"open\">unfold</button> <button id=\"close\">fold</button>\n"
         "<span class=\"legend\" id=\"legend\"></span><div id=\"findings\"></div></header>\n"
         "<main><div id=\"tree\"></div><div id=\"source\"></div></main>\n<script type=\"application/json\" "
         "id=\"data\">" +
         without_tags(json) + "</script>\n<script>" + std::string(tree_page_script) + "</script></body></html>\n";
}

}  // namespace heddle::depend
