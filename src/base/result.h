// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <expected>
#include <string>
#include <utility>

namespace heddle {

/// Bad input, said so that the reader knows what to do: what, where, and the mend.
struct Error {
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> error(std::string message) { return std::unexpected(Error{std::move(message)}); }

}  // namespace heddle
