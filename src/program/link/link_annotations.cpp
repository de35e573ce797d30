// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link_annotations.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

auto key(const LockAnnotation& a) {
  return std::tuple(a.subject.kind(), a.subject.kind() == Operand::Kind::None ? 0 : a.subject.index(), a.type, a.field,
                    a.kind, a.lock, a.argument, a.succeeds_with_zero);
}

}  // namespace

void link_annotations(const std::vector<Program>& units, const SymbolIds& ids, Program& out) {
  std::vector<LockAnnotation> all;
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (LockAnnotation row : units[u].annotations) {
      if (row.subject.is_function()) row.subject = ids.functions[u][row.subject.index()].symbol;
      if (row.subject.is_global()) row.subject = ids.globals[u][row.subject.index()].symbol;
      all.push_back(row);
    }
  }
  std::ranges::sort(all, {}, key);
  const auto twice = std::ranges::unique(all, {}, key);
  all.erase(twice.begin(), twice.end());
  for (LockAnnotation& row : all) {
    row.type = out.arena.text(row.type);
    row.field = out.arena.text(row.field);
    row.lock = out.arena.text(row.lock);
  }
  out.annotations = std::move(all);
}

}  // namespace heddle
