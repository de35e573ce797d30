// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <string_view>

namespace heddle {

/// What an access does to memory: one enumeration for every stage. Update is an atomic read-modify-write, Free ends the
/// life of all bytes.
enum class AccessKind : std::uint8_t { Read, Write, Update, Free };

/// `read`, `write`, `update`, `free`.
std::string_view to_text(AccessKind kind);

/// Everything but a read changes memory.
constexpr bool writes(AccessKind kind) { return kind != AccessKind::Read; }

/// Stages that do not tell an update from a write mean the same access.
constexpr AccessKind without_updates(AccessKind kind) { return kind == AccessKind::Update ? AccessKind::Write : kind; }

}  // namespace heddle
