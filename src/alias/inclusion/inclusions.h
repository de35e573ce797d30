// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusions: sets of places in objects that grow until everything that was said of them holds (Andersen's analysis,
// with offsets). A node is such a set: where a value can point to, or what the cell of an object can hold.
//
//   give(p, {x, 0})        p = &x;
//   copy(p, q, 8)          q = p + 8 bytes
//   store(p, v, 8)         *p = v;       what v has, the cell at x+0 has
//   load(p, 8, r)          r = *p;       what cells at x+0..7 have, r has
//   move(d, s, 16)         memcpy(d, s, 16);
//   cut(p, 1)              memset(p, 0, 1);   a pointer of which *p is a part leads elsewhere in its object
//   call(f, 3)             f(…);         `found(3, object)` for every object of code that f points to
//
// Nothing is ever taken back, and there is no order: what holds in the end holds of every execution in which each
// pointer stays in the object that it was made for. An offset of `anywhere` stands for all; a node that has many
// offsets of one object, as a pointer does that walks, has that one instead.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace heddle::alias {

using NodeIndex = std::uint32_t;
using ObjectIndex = std::uint32_t;

/// An offset: any of them.
inline constexpr std::int64_t anywhere = std::numeric_limits<std::int64_t>::min();

/// So many bytes behind the beginning of an object; or up to `extent` bytes further, by a multiple of `step`.
struct Target {
  ObjectIndex object = 0;
  std::int64_t offset = 0;
  std::int64_t extent = 0;
  std::int64_t step = 0;  ///< not 0 if there is an extent
  /// Behind the last element of an array. Nobody reads or writes there, but it may be where one counts from: `end[-1]`.
  bool is_past = false;
  [[nodiscard]] bool is_exact() const { return offset != anywhere && extent == 0; }
  friend auto operator<=>(const Target&, const Target&) = default;
};

/// The same pointers so many bytes further; `anywhere` in their objects.
[[nodiscard]] std::vector<Target> further(Target target, std::int64_t by);

class Inclusions {
 public:
  explicit Inclusions(std::uint32_t pointer_bytes) : pointer_bytes_(pointer_bytes) {}

  NodeIndex node();
  /// With its cells. `bytes`: how many it has, 0 if that is not known. `is_code`: calls through pointers to it are told
  /// of.
  ObjectIndex object(std::uint64_t bytes = 0, bool is_code = false);

  void give(NodeIndex node, Target target);
  /// `by`: so many bytes further, or `anywhere` in the same objects.
  void copy(NodeIndex from, NodeIndex to, std::int64_t by = 0) { copy(from, to, by, 0); }
  /// And any number of strides from there. `count`: below that many; 0: anywhere in the object.
  void copy(NodeIndex from, NodeIndex to, std::int64_t by, std::int64_t stride, std::int64_t count = 0);
  void load(NodeIndex address, std::uint64_t bytes, NodeIndex to);
  void store(NodeIndex address, NodeIndex value, std::uint64_t bytes);
  /// none: as many bytes as the objects have.
  void move(NodeIndex to, NodeIndex from, std::optional<std::uint64_t> bytes);
  /// So many bytes are written there, in which no address is; none: nobody knows how many. A pointer that may lose only
  /// some of its bytes by this, or by a store, may lead anywhere in its objects: it may have been put in line,
  /// or moved.
  void cut(NodeIndex address, std::optional<std::uint64_t> bytes);
  void call(NodeIndex callee, std::uint32_t number);

  /// Until nothing grows. `found` may say more. False: it was given up after so many steps, and nothing is known.
  bool solve(const std::function<void(std::uint32_t, ObjectIndex)>& found, std::uint64_t most_steps);

  [[nodiscard]] const std::vector<Target>& targets(NodeIndex node) const { return nodes_[node].targets; }
  /// What can be loaded from there.
  [[nodiscard]] std::vector<Target> contents(Target at, std::uint64_t bytes) const;

 private:
  static constexpr std::size_t most_offsets = 16;  ///< of one object in one node
  static constexpr std::int64_t most_strides = 8;

  /// Where a pointer can lie: as of a target.
  struct Span {
    std::int64_t offset = 0, extent = 0, step = 0;
    friend auto operator<=>(const Span&, const Span&) = default;
  };
  struct Copy {
    NodeIndex to = 0;
    std::int64_t by = 0, stride = 0, count = 0;
    friend auto operator<=>(const Copy&, const Copy&) = default;
  };
  struct Load {
    std::uint64_t bytes = 0;
    NodeIndex to = 0;
  };
  struct Store {
    std::uint64_t bytes = 0;         ///< 0, without a value: nobody knows how many
    std::optional<NodeIndex> value;  ///< none: no address
  };
  struct Move {
    NodeIndex to = 0, from = 0;
    std::optional<std::uint64_t> bytes;
  };
  struct Node {
    std::vector<Target> targets;  ///< sorted
    std::vector<Target> fresh;    ///< of them, those that nobody was told of
    std::set<Copy> copies;
    std::vector<Load> loads;
    std::vector<Store> stores;
    std::vector<std::uint32_t> moves, calls;
    bool is_waiting = false;
  };
  /// Bytes that are read, and where what they hold goes: to a node, or to the same bytes of another object. Or bytes
  /// that are written, and cut what holds more than these.
  struct Reader {
    enum class Kind : std::uint8_t { Load, Move, Cut };
    std::int64_t offset = 0, extent = 0;
    std::uint64_t bytes = 0;  ///< 0: to the end
    Kind kind = Kind::Load;
    NodeIndex to = 0;
    Target moved = {};      ///< of a move
    std::int64_t step = 0;  ///< of a cut: the multiple by which the bytes lie further
    friend auto operator<=>(const Reader&, const Reader&) = default;
  };
  struct Object {
    std::uint64_t bytes = 0;
    bool is_code = false;
    std::map<Span, NodeIndex> cells;  ///< also `anywhere`: what may stand in any cell
    std::set<Reader> readers;
  };

  void tell(NodeIndex node);
  void pass(Copy copy, Target target);
  void pass_elements(const Copy& copy, Target target);
  void pass_all(const Copy& copy, Target target);
  void read(ObjectIndex object, const Reader& reader);
  void feed(const Reader& reader, Span span, NodeIndex cell);
  [[nodiscard]] bool reaches(const Reader& reader, Span span) const;
  [[nodiscard]] bool cuts(const Reader& reader, Span span) const;
  void cut_at(Target at, std::uint64_t bytes);
  NodeIndex cell(Target at);
  void write(Target at, const Store& store);
  void move_between(const Move& move, Target to, Target from);

  std::uint32_t pointer_bytes_;
  std::vector<Node> nodes_;
  std::vector<Object> objects_;
  std::vector<Move> moves_;
  std::vector<NodeIndex> work_;
  const std::function<void(std::uint32_t, ObjectIndex)>* found_ = nullptr;
  std::uint64_t steps_ = 0;
};

}  // namespace heddle::alias
