// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses can meet: every access of every thread, by what it touches (its *bucket*) and its circumstances.
// However many ways lead to an access under the same circumstances, it occurs once: that is one in five or ten, and 20
// bytes each.
//
//   struct conn.state   handle() line 7 W, in a thread · accept() line 9 W, in main · …
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "alias/alias_facts.h"
#include "base/hash_slots.h"
#include "race/access.h"
#include "scan/pairs/group_leaves.h"
#include "scan/reach/circumstances.h"
#include "scan/reach/reach.h"

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

[[nodiscard]] inline const OwnAccess& own_access(const std::vector<FunctionSummary>& summaries, const Candidate& c) {
  return summaries[c.function.index()].own[c.own];
}

/// The calls from the holder down, and the access itself as the last step.
[[nodiscard]] std::vector<race::CallStep> way_to(const std::vector<FunctionSummary>& summaries, const Candidate& c);

/// The address that an instruction of a function reads or writes; none if it has no operand for it.
[[nodiscard]] alias::Place place_of(const Program& program, const alias::AliasFacts& aliases, FunctionId function,
                                    const OwnAccess& access);

/// Where it leads instead, if the operand is a parameter that is only handed on (AliasFacts::given).
[[nodiscard]] alias::AliasFacts::GivenPlaces given_to(const Program& program, const alias::AliasFacts& aliases,
                                                      FunctionId function, const OwnAccess& access);

/// An access of a bucket.
struct Occurrence {
  Candidate access;
  std::uint32_t circumstances = 0;
};

class Occurrences {
 public:
  /// Classes with more accesses than `hopeless_class` are only counted.
  Occurrences(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
              const alias::AliasFacts& aliases, LockNames& names, CircumstanceTable& circumstances,
              std::uint64_t hopeless_class);

  struct Bucket {
    BucketKey key;
    std::uint64_t ways = 0;  ///< to its accesses, each counted
    std::uint64_t first = 0, count = 0;
  };
  /// Written and in a thread; sorted by key.
  [[nodiscard]] const std::vector<Bucket>& shared() const { return buckets_; }
  /// The other buckets, which no two threads can race on; sorted by key.
  struct Unshared {
    BucketKey key;
    bool is_written = false;
  };
  [[nodiscard]] const std::vector<Unshared>& unshared() const { return unshared_; }
  /// Callers before callees by number, always in the same order.
  void list(const Bucket& bucket, std::vector<Occurrence>& out) const;
  /// A number for the instruction, whoever leads there.
  [[nodiscard]] std::uint32_t number_of(const Candidate& c) const {
    const std::uint32_t number = first_access_[c.function.index()] + c.own;
    const auto twin = twins_.find(number);
    return twin == twins_.end() ? number : twin->second;
  }
  [[nodiscard]] std::uint64_t all_accesses() const { return all_accesses_; }
  [[nodiscard]] std::uint64_t all_buckets() const { return uses_.size(); }
  [[nodiscard]] std::uint64_t hopeless_buckets() const { return hopeless_; }
  /// Groups of which not all accesses were looked at.
  [[nodiscard]] std::uint64_t cut_groups() const { return cut_groups_; }

 private:
  struct Context {
    FunctionId holder;
    std::uint32_t group = 0;
    Phase phase = Phase::Boot;
    friend bool operator==(const Context&, const Context&) = default;
  };
  struct Row {
    std::uint32_t bucket = 0, circumstances = 0;
    std::uint32_t access = 0;  ///< of all accesses of all summaries
    std::uint32_t context = 0;
    std::int32_t offset = 0;
  };
  struct Use {
    BucketKey key;
    bool is_written = false, in_thread = false;
    std::uint64_t ways = 0;
    std::uint32_t rows = 0;
  };

  void find_twins(const FunctionSummary& summary, std::uint32_t first);
  [[nodiscard]] bool counts_for_itself(std::uint32_t function) const;
  void list_phases(std::uint32_t function, std::uint32_t group, std::vector<Phase>& out) const;
  [[nodiscard]] bool is_own_state(std::uint32_t function, const AccessGroup& group) const;
  void collect(CircumstanceTable& circumstances, std::uint64_t hopeless_class);
  void add(std::uint32_t bucket, std::uint32_t circumstances, std::uint32_t access, std::int32_t offset,
           const Context& context);
  void sort_rows(std::uint64_t hopeless_class);
  bool find_buckets(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf, std::uint32_t own,
                    std::int32_t offset);
  std::uint32_t bucket(const BucketKey& key);
  bool add_members_behind(TypeId type, std::int64_t inside, MemberKey first, const OwnAccess& access);
  void add_member(MemberKey member);
  void add_members_by_steps(TypeId type, std::int64_t inside, std::int64_t step, const OwnAccess& access);
  void add_class(const Node& root, FunctionId leaf, const OwnAccess& access);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  const alias::AliasFacts& aliases_;
  LockNames& names_;
  MemberKeys keys_;
  std::vector<std::uint32_t> first_access_;  ///< by function
  /// One access under several locksets: its second and later numbers, with the first. Only looked up.
  std::unordered_map<std::uint32_t, std::uint32_t> twins_;
  std::vector<std::uint32_t> bucket_of_;  ///< by access, if it has a member of its own and touches nothing else
  std::unordered_map<BucketKey, std::uint32_t, BucketHash> bucket_ids_;  ///< only looked up
  std::vector<Use> uses_;                                                ///< by bucket
  std::vector<std::uint32_t> found_;                                     ///< buckets of the access at hand
  std::vector<Context> contexts_;
  std::array<std::uint32_t, phase_count> last_context_{};  ///< by phase
  std::vector<Row> rows_;
  HashSlots slots_;                   ///< rows by bucket, circumstances and access
  std::vector<std::uint32_t> order_;  ///< rows, bucket by bucket
  std::vector<Bucket> buckets_;
  std::vector<Unshared> unshared_;
  std::uint64_t all_accesses_ = 0, hopeless_ = 0, cut_groups_ = 0;
};

}  // namespace heddle::scan
