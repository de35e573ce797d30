// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RecordStore: bytes by content key in one folder, from one run to the next. LMDB keeps them; nothing else sees LMDB.
//
//   RecordStore store(".heddle/summaries", maker);      RecordStore::Reader reader(store);  reader.find(key);
//   store.put(key, bytes);  …  store.commit();          what was put is there for the next run, not for this one
//
//   records   LMDB's file          seal   who made it, its size and checksum          lock   who uses it now
//
// LMDB trusts its pages, so it is shown only a file whose checksum the seal has: a damaged, truncated or foreign one is
// begun anew, and `notes` says so. Writing happens once, in commit(), under a seal that says so: a run that dies there
// leaves a store that the next begins anew; dying anywhere else leaves it as it was. Runs at the same time read
// together; one that finds another writing does without, and one that finds another reading keeps nothing. No failure
// is an error: a store only saves work.
//
// The store stays below four times what one run uses, or 64 MB: beyond that only what this run used is kept.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/content_hash.h"

struct MDB_env;
struct MDB_txn;

namespace heddle::store {

class RecordStore {
 public:
  struct Limits {
    std::uint64_t map_bytes = std::uint64_t{64} << 20;   ///< to begin with; grows
    std::uint64_t idle_bytes = std::uint64_t{64} << 20;  ///< a store of this size is never too large
  };

  /// `maker`: whose records these are; those of another are not read.
  RecordStore(std::string folder, std::string maker, const Limits& limits);
  RecordStore(std::string folder, std::string maker) : RecordStore(std::move(folder), std::move(maker), Limits{}) {}
  ~RecordStore();
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  /// One a thread; must not outlive the store, nor live when it commits.
  class Reader {
   public:
    explicit Reader(RecordStore& store);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    /// Valid until the store commits.
    [[nodiscard]] std::optional<std::string_view> find(const ContentHash& key);

   private:
    RecordStore& store_;
    MDB_txn* transaction_ = nullptr;
    std::vector<ContentHash> used_;
  };

  /// From any thread.
  void put(const ContentHash& key, std::string bytes);
  /// Once, at the end.
  void commit();
  /// What the user should know: damage, and why nothing is kept.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Seal {
    enum class State : std::uint8_t { None, Damaged, Foreign, Writing, Whole };
    State state = State::None;
    std::uint64_t size = 0;
    ContentHash checksum;
    std::string text;
  };
  [[nodiscard]] std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  [[nodiscard]] Seal read_seal() const;
  bool lock_folder();
  /// Whether the records are what the seal says.
  bool check(const Seal& seal);
  bool open_for_reading();
  void close();
  [[nodiscard]] bool write_seal(std::string_view state);
  [[nodiscard]] std::string seal_text(std::string_view state) const;
  [[nodiscard]] std::string seal_text(std::uint64_t size, const ContentHash& checksum) const;  ///< of a whole one
  void keep_used();
  int write_records();
  void start_anew();

  const std::string folder_, maker_;
  const Limits limits_;
  int lock_ = -1;
  bool is_fresh_ = true;  ///< there is nothing to read
  Seal seal_;
  MDB_env* environment_ = nullptr;
  unsigned records_ = 0;  ///< LMDB's handle of the one table
  std::mutex mutex_;
  std::vector<std::pair<ContentHash, std::string>> pending_;
  std::vector<ContentHash> used_;
  std::vector<std::string> notes_;
};

}  // namespace heddle::store
