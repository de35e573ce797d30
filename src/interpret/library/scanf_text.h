// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where scanf reads from: a string, or an open file.
#pragma once
#include <string>

#include "interpret/core/core.h"

namespace heddle::interpret {

/// Characters one at a time with one of lookahead.
class Text {
 public:
  virtual ~Text() = default;
  int peek() {
    if (!has_next_) next_ = fetch();
    has_next_ = true;
    return next_;
  }
  void take() {
    (void)peek();
    if (next_ >= 0) ++taken_;
    has_next_ = false;
  }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

 protected:
  virtual int fetch() = 0;
  bool has_next_ = false;
  int next_ = -1;

 private:
  std::uint64_t taken_ = 0;
};

class StringText final : public Text {
 public:
  explicit StringText(std::string text) : text_(std::move(text)) {}

 private:
  int fetch() override { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_++]) : -1; }
  std::string text_;
  std::size_t at_ = 0;
};

class StreamText final : public Text {
 public:
  StreamText(Core& core, std::uint32_t descriptor) : core_(core), descriptor_(descriptor) {}
  /// What was looked at and not taken goes back.
  void finish() {
    if (has_next_ && next_ >= 0) core_.files.open_file(descriptor_).pushed = next_;
  }

 private:
  int fetch() override { return core_.files.read_byte(descriptor_); }
  Core& core_;
  std::uint32_t descriptor_;
};

}  // namespace heddle::interpret
