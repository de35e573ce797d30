// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RecordStore: bytes by content key in one folder, from one run to the next.
//
//   RecordStore store(".heddle/summaries", maker);      RecordStore::Reader reader(store);  reader.find(key);
//   store.put(key, bytes);  …  store.commit();          what was put is there for the next run, not for this one
//
//   records   who made them, how many there are; the key, offset and size of each, by key; their bytes; the seal
//   lock      held by who writes
//
// One kept file (base/kept/kept_file.h), read and checked as a whole when the store is opened: a damaged, truncated or
// foreign one is begun anew, and `notes` says so. Writing happens once, in commit(), to a new file that takes the place
// of the old one: a run that dies leaves the store as it was. Runs at the same time read what there was when they
// began; of several that write at the same moment one keeps its records. No failure is an error: a store only saves
// work.
//
// The store stays below four times what one run uses, or 64 MB: beyond that only what this run used is kept.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/content_hash.h"
#include "base/kept/kept_file.h"

namespace heddle::store {

class RecordStore {
 public:
  struct Limits {
    std::uint64_t idle_bytes = std::uint64_t{64} << 20;  ///< a store of this size is never too large
  };

  /// `maker`: whose records these are; those of another are not read.
  RecordStore(const std::string& folder, std::string maker, const Limits& limits);
  RecordStore(const std::string& folder, std::string maker) : RecordStore(folder, std::move(maker), Limits{}) {}
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  /// One a thread; must not outlive the store, nor live when it commits.
  class Reader {
   public:
    explicit Reader(RecordStore& store) : store_(store) {}
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    /// Valid until the store commits.
    [[nodiscard]] std::optional<std::string_view> find(const ContentHash& key);

   private:
    RecordStore& store_;
    std::vector<ContentHash> used_;
  };

  /// From any thread.
  void put(const ContentHash& key, std::string bytes);
  /// Once, at the end.
  void commit();
  /// What the user should know: damage, and why nothing is kept.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Row {
    ContentHash key;
    std::uint64_t offset = 0, size = 0;  ///< of its bytes in the content
  };
  [[nodiscard]] kept::Place place(std::string_view name) const;
  void read();
  /// False: the content is not what a heddle writes.
  bool read_rows(std::string_view after_head);
  [[nodiscard]] std::string_view bytes_of(const Row& row) const;
  [[nodiscard]] std::string head() const;
  void keep_used();
  [[nodiscard]] std::string content_to_write();

  const std::string folder_, maker_;
  const Limits limits_;
  std::string content_;    ///< of the file
  std::vector<Row> rows_;  ///< by key
  std::optional<kept::Seal> seal_;
  std::mutex mutex_;
  std::vector<std::pair<ContentHash, std::string>> pending_;
  std::vector<ContentHash> used_;
  std::vector<std::string> notes_;
};

}  // namespace heddle::store
