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

/// Of a message: as much as a list has room for.
inline std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

inline std::unexpected<Error> error(std::string message) { return std::unexpected(Error{std::move(message)}); }

}  // namespace heddle
