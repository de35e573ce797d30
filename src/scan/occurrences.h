// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses can meet: every access of every thread, by what it touches (its *bucket*). Found twice over the summaries, first to
// count: most variables are never written, or one thread's, and are not kept. An occurrence takes 12 bytes.
//
//   struct conn.state   handle() line 7 W, in a thread · accept() line 9 W, in main · …
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "alias/alias_facts.h"
#include "scan/group_leaves.h"
#include "scan/reach.h"

namespace heddle::scan {

/// What accesses that can meet have in common.
struct BucketKey {
  enum class Kind : std::uint8_t {
    Member,  ///< of a struct: `what` is its TypeId
    Global,
    Path,  ///< a fixed path, see LockNames
    Class  ///< of pointers, for plain numbers and characters
  };
  Kind kind = Kind::Member;
  std::uint32_t what = 0;
  std::int32_t offset = 0;
  friend auto operator<=>(const BucketKey&, const BucketKey&) = default;
};

struct BucketHash {
  std::size_t operator()(const BucketKey& k) const {
    const std::uint64_t h =
        (static_cast<std::uint64_t>(k.what) << 32 | static_cast<std::uint32_t>(k.offset)) * 0x9e3779b97f4a7c15ULL;
    return (h ^ h >> 29) + static_cast<std::size_t>(k.kind);
  }
};

/// An access as the report needs it: the instruction, how the thread comes there, what it holds.
struct Candidate {
  FunctionId holder;        ///< whose summary has the access in its final terms
  std::uint32_t group = 0;  ///< in it
  std::int32_t offset = 0;  ///< from the group's node
  Phase phase = Phase::Thread;
  FunctionId function;    ///< innermost
  std::uint32_t own = 0;  ///< in its summary
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

/// The address an instruction reads or writes; none for calls.
[[nodiscard]] alias::Place place_of(const Program& program, const alias::AliasFacts& aliases, FunctionId function,
                                    std::uint32_t instruction);

class Occurrences {
 public:
  /// Classes with more accesses than `hopeless_class` are only counted.
  Occurrences(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
              const alias::AliasFacts& aliases, LockNames& names, std::uint64_t hopeless_class);

  struct Bucket {
    BucketKey key;
    std::uint64_t first = 0, count = 0;  ///< in rows_
  };
  [[nodiscard]] const std::vector<Bucket>& shared() const {
    return buckets_;
  }  ///< written and in a thread; sorted by key
  [[nodiscard]] std::vector<Candidate> accesses(const Bucket& bucket) const;  ///< sorted
  /// A number for the instruction, whoever leads there.
  [[nodiscard]] std::uint32_t number_of(const Candidate& c) const { return first_access_[c.function.index()] + c.own; }
  [[nodiscard]] std::uint64_t all_accesses() const { return all_accesses_; }
  [[nodiscard]] std::uint64_t all_buckets() const { return all_buckets_; }
  [[nodiscard]] std::uint64_t hopeless_buckets() const { return hopeless_; }

 private:
  struct Context {
    FunctionId holder;
    std::uint32_t group = 0;
    Phase phase = Phase::Boot;
    friend bool operator==(const Context&, const Context&) = default;
  };
  struct Row {
    std::uint32_t context = 0;
    std::uint32_t access = 0;  ///< of all accesses of all summaries
    std::int32_t offset = 0;
  };

  template <class Found>
  void collect(Found found);
  void find_keys(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf, const OwnAccess& access,
                 std::int32_t offset);
  [[nodiscard]] bool is_block(FunctionId leaf, const OwnAccess& access) const;
  void add_members_behind(TypeId type, std::int64_t inside, MemberKey first, std::uint32_t bytes);
  void add_class_key(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf,
                     const OwnAccess& access);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  const alias::AliasFacts& aliases_;
  LockNames& names_;
  MemberKeys keys_;
  std::vector<BucketKey> found_keys_;
  bool skip_class_ = false;
  std::vector<std::uint32_t> first_access_;  ///< by function
  std::vector<Context> contexts_;
  std::vector<Row> rows_;
  std::vector<Bucket> buckets_;
  std::uint64_t all_accesses_ = 0, all_buckets_ = 0, hopeless_ = 0;
};

}  // namespace heddle::scan
