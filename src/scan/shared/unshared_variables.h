// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnsharedVariables: the variables that are not shared, each with the reason: buckets that no two threads meet in, the
// other members of structs that have a bucket, and globals that have none.
//
//   struct dev { int rx; int irq; int id; };     irq   only read where threads run      (a bucket of reads)
//                                                id    only touched where no other …    (no bucket at all)
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scan/names/lvalue_text.h"
#include "scan/pairs/candidates.h"

namespace heddle::scan {

struct UnsharedVariable;
enum class NotShared : std::uint8_t;

/// `conn.state`, `hits`, `server.head->len`; of a class of pointers, which has no name of its own: empty.
[[nodiscard]] std::string bucket_name(const ScanFacts& facts, LvalueText& text, const BucketKey& key);

class UnsharedVariables {
 public:
  UnsharedVariables(const ScanFacts& facts, LvalueText& text) : facts_(facts), text_(text) {}

  /// There are accesses to it where threads run.
  void note_used(const BucketKey& key) { used_.insert(key); }
  void add(const BucketKey& key, NotShared reason);
  /// All of them, once every bucket was noted.
  std::vector<UnsharedVariable> finish();

 private:
  void add_members();
  void add_globals();
  [[nodiscard]] std::vector<bool> named_globals() const;

  const ScanFacts& facts_;
  LvalueText& text_;
  std::set<BucketKey> used_;
  std::set<std::uint32_t> records_;  ///< structs with a member that is used
  std::map<std::string, NotShared> found_;
};

}  // namespace heddle::scan
