// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C file of a model that is code, with its templates written out.
//
//   //@ template team
//   extern void entry_$k(int *, int *$(, $T)) __asm__("$entry");     for entry number 0 with one pointer handed on:
//   //@ end                                                           extern void entry_0(int *, int *, void *) …
//
// In a template `$k` is the number of the entry, `$entry` its symbol, `$symbol` that of the function to be defined,
// `$T` and `$i` in `$( … )` type and number of each parameter that is handed on. `HEDDLE_EACH_name(DO)` is DO(k) for
// every k that the template was written for. `$does_more` is 1 if the entry calls functions or names globals, else 0.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::api {

/// A template for one entry.
struct TemplateUse {
  std::string part;  ///< the template's name
  std::size_t number = 0;
  std::string entry;               ///< symbol
  std::string symbol;              ///< of what is defined
  std::vector<std::string> types;  ///< of the parameters that are handed on, as C writes them
  std::string file;                ///< where the first call stands; empty: not known
  std::uint32_t line = 0;
  bool does_more = false;  ///< the entry calls functions or names globals, and not only works on what it is given
};

/// In a text for write_out: the next line stands there.
[[nodiscard]] std::string line_mark(std::uint32_t line, std::string_view file);

/// An error if a template that is used is not there or does not end.
[[nodiscard]] Result<std::string> write_out(std::string_view text, const std::vector<TemplateUse>& uses,
                                            const std::string& name);

}  // namespace heddle::api
