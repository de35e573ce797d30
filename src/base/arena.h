// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is handed out piece by piece and given back all at once. What it handed out stays where it is, also when
// the Arena is moved: spans and string_views into it live as long as their owner.
//
//   Arena arena;
//   const std::string_view name = arena.text("counter");
//   const std::span<const int> numbers = arena.copy(std::vector{1, 2, 3});
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept {
    pieces_ = std::move(other.pieces_);
    next_ = std::exchange(other.next_, nullptr);
    left_ = std::exchange(other.left_, 0);
    piece_size_ = std::exchange(other.piece_size_, first_piece);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() = default;

  /// `count` default-made elements.
  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));
    if (count == 0) return {};
    T* begin = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(begin, count);
    return {begin, count};
  }

  template <std::ranges::contiguous_range Range>
  auto copy(const Range& from) {
    using T = std::ranges::range_value_t<Range>;
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    if (std::ranges::empty(from)) return std::span<const T>{};
    T* begin = static_cast<T*>(allocate(std::ranges::size(from) * sizeof(T), alignof(T)));
    std::uninitialized_copy_n(std::ranges::data(from), std::ranges::size(from), begin);
    return std::span<const T>(begin, std::ranges::size(from));
  }

  std::string_view text(std::string_view from) {
    const std::span<const char> kept = copy(from);
    return {kept.data(), kept.size()};
  }

  /// What it took from the system.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t first_piece = std::size_t{4} << 10;
  static constexpr std::size_t largest_piece = std::size_t{256} << 10;

  void* allocate(std::size_t size, std::size_t align) {
    const std::size_t skip = (align - reinterpret_cast<std::uintptr_t>(next_) % align) % align;
    if (next_ != nullptr && skip + size <= left_) {
      std::byte* at = next_ + skip;
      next_ = at + size;
      left_ -= skip + size;
      return at;
    }
    if (size > piece_size_ / 4) return add_piece(size);
    next_ = add_piece(piece_size_);
    left_ = piece_size_ - size;
    piece_size_ = std::min(piece_size_ * 2, largest_piece);
    return std::exchange(next_, next_ + size);
  }

  std::byte* add_piece(std::size_t size) {
    pieces_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    bytes_ += size;
    return pieces_.back().get();
  }

  std::vector<std::unique_ptr<std::byte[]>> pieces_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t piece_size_ = first_piece;
  std::size_t bytes_ = 0;
};

}  // namespace heddle
