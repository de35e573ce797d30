// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as a stream, pulled by the caller; memory is that of one string. Values nobody asks for are skipped at any
// depth.
//
//   reader.read_array([&] { return reader.read_object([&](const std::string& key) {
//     return key == "file" ? reader.read_string(file) : reader.skip_value(); }); });
//
// Not nlohmann::json, because file names are bytes: build tools write them into JSON without caring for UTF-8, and
// Python writes such a byte as the lone surrogate \udcXX. Here both come back as the bytes they were. Otherwise strict,
// with line and column for every mistake.
#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::host {

class JsonReader {
 public:
  explicit JsonReader(std::istream& input) : input_(input), buffer_(std::size_t{1} << 18) {}

  enum class Kind { Array, Object, String, Other, End };
  /// What comes next; nothing is taken.
  Kind peek();

  // Each takes one value. False: the text is not what was asked for; message() then says what and where.
  bool read_string(std::string& into);
  bool skip_value();
  bool read_array(const std::function<bool()>& element);
  bool read_object(const std::function<bool(const std::string& key)>& member);
  /// Nothing but blanks follows.
  bool read_end();

  /// `3:17: expected ',' or ']'`
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
  static constexpr int end = -1;

  int look() { return at_ < size_ || refill() ? static_cast<unsigned char>(buffer_[at_]) : end; }
  void take();
  bool refill();
  int look_behind_blanks();
  bool fail(const std::string& expected);
  bool read_escape(std::string& into);
  bool read_hex(unsigned& value);
  bool read_plain();
  bool read_key(std::string& key);

  std::istream& input_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  std::string message_;
};

/// The text as a JSON string with its quotes. Bytes that are no UTF-8 become \udcXX, as above.
std::string json_string(std::string_view text);

}  // namespace heddle::host
