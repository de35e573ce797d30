// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON written as it is said, two spaces a level. A scan keeps its report of thousands of races each time: a tree of it
// in memory took ten times as long as the scan.
//
//   json.open('{'); json.field("line", 12); json.close('}');
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

class JsonStream {
 public:
  /// '{' or '['.
  void open(char bracket);
  void close(char bracket);
  /// A word of the format: nothing in it needs an escape.
  void key(std::string_view name);
  void value(std::string_view text);
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool is_true) { add(is_true ? "true" : "false"); }
  void value(std::integral auto number) { add(std::to_string(number)); }

  template <class Value>
  void field(std::string_view name, const Value& of) {
    key(name);
    value(of);
  }
  void field(std::string_view name, const std::vector<std::string>& rows) {
    list(name, rows, [this](const std::string& row) { value(row); });
  }
  /// `write` says one row.
  template <class Row, class Write>
  void list(std::string_view name, const std::vector<Row>& rows, Write write) {
    key(name);
    open('[');
    for (const Row& row : rows) write(row);
    close(']');
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add(std::string_view raw);
  void add_quoted(std::string_view plain);
  /// What stands between this and the value before it.
  void separate();

  std::string text_;
  std::size_t depth_ = 0;
  bool is_first_ = true;  ///< of its list or object
  bool is_behind_key_ = false;
};

}  // namespace heddle::report
