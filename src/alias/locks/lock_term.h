// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockTerm: a pointer, named at one point of one function: a variable's address or a value, the pointers that are
// followed from there, and a distance.
//
//   &m               {m}                        the address of a global
//   p                {p, follow 0}              the pointer in the global p
//   &d->priv->lock   {d, follow 8, 16 further}  d is a parameter
//
// Two equal terms at one point are one pointer. Values are those of the function; other functions have other ones.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/model/program.h"

namespace heddle::alias {

struct LockTerm {
  static constexpr std::size_t deepest = 5;  ///< pointers that are followed

  enum class Root : std::uint8_t { Global, Value };
  Root root = Root::Value;
  std::uint32_t index = 0;         ///< GlobalId or ValueId
  std::vector<std::int64_t> path;  ///< at these distances lie the pointers that are followed, one after the other
  std::int64_t offset = 0;         ///< so many bytes behind where the last one leads

  static LockTerm global(GlobalId id) { return {Root::Global, id.index(), {}, 0}; }
  static LockTerm value(ValueId id) { return {Root::Value, id.index(), {}, 0}; }
  /// A value or a global; nothing: it is no such thing.
  static std::optional<LockTerm> of(Operand operand);

  [[nodiscard]] bool is_value(ValueId id) const { return root == Root::Value && index == id.index(); }
  [[nodiscard]] bool is_global() const { return root == Root::Global; }
  /// The pointer that lies where this one leads.
  [[nodiscard]] LockTerm content() const;
  /// The address of the pointer that is followed as number `step`.
  [[nodiscard]] LockTerm cell(std::size_t step) const;
  /// What is left of the term behind its first `steps` pointers, in terms of `base`; nothing if that is too deep.
  [[nodiscard]] std::optional<LockTerm> behind(std::size_t steps, const LockTerm& base) const;
  /// The term with its root replaced.
  [[nodiscard]] std::optional<LockTerm> on(const LockTerm& base) const;

  friend auto operator<=>(const LockTerm&, const LockTerm&) = default;
};

/// `*p`, `d->8->16`: for tests and for people who look at the analysis.
[[nodiscard]] std::string to_text(const Program& program, FunctionId function, const LockTerm& term);

}  // namespace heddle::alias
