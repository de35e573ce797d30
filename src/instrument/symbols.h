// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for addresses of a program that ran: functions and places of its code, variables of its data, from symbol
// tables and debug information.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle::instrument {

struct CodePlace {
  std::string function;
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Symbols {
 public:
  Symbols();
  Symbols(Symbols&&) noexcept;
  Symbols& operator=(Symbols&&) noexcept;
  ~Symbols();

  /// `offset`: from where the file was loaded. Innermost first: functions that were inlined there come before the one
  /// they were inlined into. Empty: nothing is known.
  [[nodiscard]] std::vector<CodePlace> code(const std::string& file, std::uint64_t offset);
  /// `table`, `table + 24`; empty: no variable lies there.
  [[nodiscard]] std::string data(const std::string& file, std::uint64_t offset);

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace heddle::instrument
