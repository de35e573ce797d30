// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries from one scan to the next: a function that did not change, whose callees look as before, is not summarised
// again.
//
//   key    options and limits; the function's body, the globals, functions and types it mentions; whom its calls may
//          reach, in order; the faces
//          of its callees' summaries, the models of those without a body
//   face   what a caller sees of a summary: not its own accesses, nor where its calls stand
//
// A callee that was summarised again and has its old face wakes no caller. What summarising asks about members of types
// is not in the key: the questions stand in the record with their answers, and are asked again (summary_form.h). So a
// struct that gets one more member at its end wakes nobody. A component of functions that call each other is one
// record.
//
// The body counts by what summarising reads of it (body_key.h). Since that costs a look at every instruction, a second
// record leads from the key with the bodies' own hashes to that key.
//
// Summaries taken from the store are equal to those that would be made: names of types and functions are the only thing
// a Program may renumber.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

#include "scan/keep/summary_form.h"
#include "scan/summary/scan_input.h"
#include "store/record_store.h"

namespace heddle::scan {

class SummaryStore {
 public:
  SummaryStore(const ScanInput& input, store::RecordStore& records);

  /// One per worker.
  class Worker {
   public:
    Worker(SummaryStore& store, MemberKeys& keys);
    /// Whether the summaries of all members are in `summaries` now. Those of all callees must be. `key` is for keep().
    bool load(std::uint32_t component, std::vector<FunctionSummary>& summaries, ContentHash& key);
    /// After a load that found nothing, with the questions that summarising asked.
    void keep(std::uint32_t component, const ContentHash& key, const std::vector<FunctionSummary>& summaries,
              const std::vector<MemberQuestion>& asked);

   private:
    enum class Bodies : std::uint8_t { Whole, AsRead };
    [[nodiscard]] ContentHash key_of(std::uint32_t component, const Hasher& surroundings, Bodies bodies) const;
    void add_function(Hasher& key, FunctionId id, std::uint32_t component);
    void add_types(Hasher& key, const Function& function);

    SummaryStore& store_;
    const ScanInput& in_;
    MemberKeys& keys_;
    store::RecordStore::Reader reader_;
    SummaryWriter writer_;
    KeptComponent kept_;
  };

  [[nodiscard]] std::uint64_t reused() const { return reused_; }

 private:
  [[nodiscard]] ContentHash face_of(const FunctionSummary& summary) const;
  void add_value(Hasher& face, const SymbolicValue& value) const;
  void add_nodes(Hasher& h, const FunctionSummary& s) const;
  static void add_locksets(Hasher& h, const FunctionSummary& s);
  static void add_histories(Hasher& h, const FunctionSummary& s);
  void add_threads(Hasher& h, const FunctionSummary& s) const;
  void add_condition(Hasher& face, const Condition& when) const;
  void add_groups(Hasher& face, const FunctionSummary& s) const;

  const ScanInput& in_;
  store::RecordStore& records_;
  ContentHash options_;
  std::vector<std::uint64_t> functions_, globals_;  ///< who it is, and what summarising may ask about it
  std::vector<ContentHash> faces_;                  ///< by function; a worker writes only those of its component
  std::atomic<std::uint64_t> reused_ = 0;           ///< functions
};

}  // namespace heddle::scan
