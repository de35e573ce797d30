// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --timeout and --memory-limit: where a command ends with what it knows.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "base/stop.h"

namespace heddle::cli {

/// `500M`, `2G`, `1048576`; none: it is no size, or 0.
std::optional<std::uint64_t> size_of(const std::string& text);

/// For options that take a size. Empty: it is fine.
std::string check_size(const std::string& text);

class LimitArguments {
 public:
  /// `what_ends`: "verify ends with what it knows"
  void declare(CLI::App& subcommand, const std::string& what_ends);
  /// 0: no limit.
  [[nodiscard]] std::uint32_t seconds() const { return timeout_; }
  /// The system enforces the limit of memory from here on. `interrupted` and `progress` may be null.
  [[nodiscard]] Stop stop(const std::atomic<bool>* interrupted, Progress* progress);

 private:
  std::uint32_t timeout_ = 0;  ///< seconds; 0: no limit
  std::string memory_text_;
  std::optional<MemoryLimit> memory_;
};

}  // namespace heddle::cli
