// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/limit_arguments.h"

#include <charconv>

#include "cli/command.h"

namespace heddle::cli {

std::optional<std::uint64_t> size_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || number == 0) return std::nullopt;
  const std::string unit(end, text.data() + text.size());
  unsigned shift = 0;
  if (unit == "K" || unit == "k") shift = 10;
  if (unit == "M" || unit == "m") shift = 20;
  if (unit == "G" || unit == "g") shift = 30;
  if (unit == "T" || unit == "t") shift = 40;
  if (!unit.empty() && shift == 0) return std::nullopt;
  const std::uint64_t bytes = number << shift;
  return bytes >> shift == number ? std::optional(bytes) : std::nullopt;
}

std::string check_size(const std::string& text) {
  return size_of(text) ? "" : "must be a size above 0, such as 500M or 2G";
}

void LimitArguments::declare(CLI::App& subcommand, const std::string& what_ends) {
  subcommand.add_option("--timeout", timeout_, "seconds after which " + what_ends)
      ->option_text("SECONDS")
      ->check(check_positive);
  subcommand
      .add_option("--memory-limit", memory_text_,
                  "memory, such as 500M or 2G, after which it ends in the same way (default: none)")
      ->option_text("SIZE")
      ->check(check_size);
}

Stop LimitArguments::stop(const std::atomic<bool>* interrupted, Progress* progress) {
  memory_.emplace(size_of(memory_text_).value_or(0));
  memory_->enforce();
  return Stop(timeout_, interrupted, progress, &*memory_);
}

}  // namespace heddle::cli
