// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kind` and `context` of an entry are one notion in two vocabularies: firmware has tasks and interrupts, a kernel has
// threads, system calls, work and several levels of interrupts. docs/models.md has the table.
//
//   context_of(EntryKind::Interrupt)                              hardirq: what the kind alone means
//   kind_of(EntryContext::Softirq)                                interrupt: what the context alone means
//   agree(EntryKind::Interrupt, EntryContext::Softirq)            true: both may be written
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/effect.h"

namespace heddle::api {

[[nodiscard]] std::string_view to_text(EntryKind kind);
[[nodiscard]] std::optional<EntryKind> entry_kind(std::string_view word);
/// `main, task, cyclic, interrupt, init`.
[[nodiscard]] std::string known_kinds();

[[nodiscard]] EntryContext context_of(EntryKind kind);
[[nodiscard]] EntryKind kind_of(EntryContext context);

/// The contexts that may stand beside a kind; the first is the one that it means alone.
[[nodiscard]] std::span<const EntryContext> contexts_of(EntryKind kind);
[[nodiscard]] bool agree(EntryKind kind, EntryContext context);

}  // namespace heddle::api
