// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/entry_words.h"

#include <algorithm>
#include <array>

namespace heddle::api {
namespace {

using enum EntryContext;

constexpr std::array main_contexts = {Thread};
constexpr std::array task_contexts = {Thread, Call, Work};
constexpr std::array cyclic_contexts = {Thread, Work, Timer};
constexpr std::array interrupt_contexts = {Hardirq, Softirq, Timer};
constexpr std::array init_contexts = {Init, Exit};

constexpr std::array all_kinds = {EntryKind::Main, EntryKind::Task, EntryKind::Cyclic, EntryKind::Interrupt,
                                  EntryKind::Init};

}  // namespace

std::string_view to_text(EntryKind kind) {
  switch (kind) {
    case EntryKind::Main: return "main";
    case EntryKind::Task: return "task";
    case EntryKind::Cyclic: return "cyclic";
    case EntryKind::Interrupt: return "interrupt";
    case EntryKind::Init: return "init";
  }
  return "task";
}

std::optional<EntryKind> entry_kind(std::string_view word) {
  for (const EntryKind kind : all_kinds)
    if (to_text(kind) == word) return kind;
  return std::nullopt;
}

std::string known_kinds() {
  std::string text;
  for (const EntryKind kind : all_kinds) text += (text.empty() ? "" : ", ") + std::string(to_text(kind));
  return text;
}

std::span<const EntryContext> contexts_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::Main: return main_contexts;
    case EntryKind::Task: return task_contexts;
    case EntryKind::Cyclic: return cyclic_contexts;
    case EntryKind::Interrupt: return interrupt_contexts;
    case EntryKind::Init: return init_contexts;
  }
  return task_contexts;
}

EntryContext context_of(EntryKind kind) { return contexts_of(kind).front(); }

EntryKind kind_of(EntryContext context) {
  switch (context) {
    case Thread:
    case Call:
    case Work: return EntryKind::Task;
    case Timer:
    case Softirq:
    case Hardirq: return EntryKind::Interrupt;
    case Init:
    case Exit: return EntryKind::Init;
  }
  return EntryKind::Task;
}

bool agree(EntryKind kind, EntryContext context) {
  return std::ranges::find(contexts_of(kind), context) != contexts_of(kind).end();
}

}  // namespace heddle::api
