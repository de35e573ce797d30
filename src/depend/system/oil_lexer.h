// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of an OSEK OIL file, with comments left out and includes read in place.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::depend {

struct OilToken {
  enum class Kind : std::uint8_t { Name, Number, Text, Sign, End };
  Kind kind = Kind::End;
  std::string text;   ///< Text: without its quotes
  std::string place;  ///< `app.oil:12`

  [[nodiscard]] bool is(char sign) const { return kind == Kind::Sign && text[0] == sign; }
  /// For messages: `'PRIORITY'`, `the end of the file`.
  [[nodiscard]] std::string shown() const { return kind == Kind::End ? "the end of the file" : "'" + text + "'"; }
};

/// The text of a file, or why it cannot be read.
using ReadText = std::function<Result<std::string>(const std::string& path)>;

/// The last token is End. `path` is for messages, and includes are relative to its folder.
[[nodiscard]] Result<std::vector<OilToken>> oil_tokens(std::string_view text, const std::string& path,
                                                       const ReadText& read);

}  // namespace heddle::depend
