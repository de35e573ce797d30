// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large the C library's own types are. A lock is memory like any other: who copies, overwrites or frees it touches
// these bytes, and so does every operation on it. The sizes are part of glibc's binary interface and never change. Some
// machines have padding at the end, which does not count: the bytes here are those that mean something on all machines
// of that width.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::api {

enum class LibraryType : std::uint8_t { Mutex, ReadWriteLock, SpinLock, Condition, Semaphore, Barrier, Once, Guard };

/// In bytes, for pointers of 32 or 64 bits.
[[nodiscard]] std::int64_t bytes_of(LibraryType type, std::uint32_t pointer_bits);

/// As models name it: "mutex".
[[nodiscard]] std::string_view to_text(LibraryType type);
[[nodiscard]] std::optional<LibraryType> library_type(std::string_view name);
/// All of them, for messages.
[[nodiscard]] std::string library_type_names();

}  // namespace heddle::api
