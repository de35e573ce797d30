// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace heddle {

/// A typed 32-bit index. Tables own, everybody else holds an Id. `Id<T>{}` is "none".
template <class T>
class Id {
 public:
  using underlying = std::uint32_t;
  static constexpr underlying none_value = std::numeric_limits<underlying>::max();

  constexpr Id() = default;
  explicit constexpr Id(std::size_t index) : index_(static_cast<underlying>(index)) {}

  [[nodiscard]] constexpr underlying index() const { return index_; }
  [[nodiscard]] constexpr bool valid() const { return index_ != none_value; }
  explicit constexpr operator bool() const { return valid(); }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  underlying index_ = none_value;
};

}  // namespace heddle

template <class T>
struct std::hash<heddle::Id<T>> {
  std::size_t operator()(heddle::Id<T> id) const noexcept { return std::hash<std::uint32_t>{}(id.index()); }
};
