// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GivenObjects: accesses to an object that was given to whoever makes them, and to nobody else at that time.
//
//   event_set(&c->event, fd, flags, handle, c);        handle(…, c): an event belongs to one loop, and so does c
//   pthread_create(&t, 0, work, &slot[i]);             work(&slot[i]): see own_arguments.h
//   c->reply = malloc(…);                              what lies behind it, where each gets a pointer of its own
//   for (…) slot[i].queue = queue;                     but not what several have pointers to
//   c->n = 0; event_set(&c->event, fd, flags, handle, c);         and what becomes such an object
//
// From an access the pointer is followed backward, along the calls that lead there, to the parameter of a callback or a
// thread, or to where it was taken off (taken_objects.h). Over a pointer in memory that goes only if it lies in a
// member of a struct into which every store of the program puts such a pointer, or memory that was made for this store:
// not twice the same, and not in a loop that did not make it. It is a doubt, not a proof: a pointer may be given away
// by means that are not looked at, such as tables and copies of structs, and an event may get another loop. Costs one
// look at all stores, then a look at the pointers of the accesses that are asked for.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "scan/calls/declared_places.h"
#include "scan/objects/taken_objects.h"
#include "scan/summary/function_body.h"

namespace heddle::scan {

class GivenObjects {
 public:
  GivenObjects(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
               TakenObjects& taken_off);

  /// By whom: bits, of all ways together. None: some way is another one.
  using Givers = unsigned;
  static constexpr Givers taken = 1, by_event = 2, by_thread = 4, made = 8;
  [[nodiscard]] Givers givers_of(const Candidate& access);
  /// Each run of the thread or callback has an argument of its own.
  [[nodiscard]] bool owns_argument(const Root& root) const { return entries_.contains(root.entry); }

 private:
  /// The calls that lead to a function, of one way; else all that there are.
  using Steps = std::span<const race::CallStep>;
  struct Way {
    Steps steps = {};
    bool is_behind = false;  ///< over a pointer in memory
    int left = 0;            ///< so many steps more
    [[nodiscard]] Way further() const { return {steps, is_behind, left - 1}; }
    [[nodiscard]] Way behind() const { return {steps, true, left - 1}; }
    [[nodiscard]] Way up() const { return {steps.first(steps.size() - 1), is_behind, left - 1}; }
  };
  /// Function, value, length of the way, Way::is_behind.
  using Question = std::tuple<FunctionId, std::uint32_t, std::size_t, bool>;
  struct Store {
    FunctionId function;
    std::uint32_t instruction = 0;
    Operand value;
  };
  /// Where memory was made.
  using Origin = std::pair<FunctionId, std::uint32_t>;

  void index_function(FunctionId id);
  void index_callbacks(FunctionId id, std::uint32_t call);
  void find_entries();

  [[nodiscard]] Givers follow(FunctionId id, Operand pointer, Way way);
  [[nodiscard]] Givers find(FunctionId id, Operand pointer, Way way);
  [[nodiscard]] Givers follow_all(FunctionId id, std::span<const Operand> pointers, Way way);
  [[nodiscard]] Givers by_callers(FunctionId id, std::uint32_t parameter, Way way);
  [[nodiscard]] Givers by_load(FunctionId id, std::size_t load, Way way);
  [[nodiscard]] Givers by_result(FunctionId id, std::size_t call, Way way);
  /// The function itself gives the object to an event, and not before the instruction that uses the pointer.
  [[nodiscard]] bool is_given_later(FunctionId id, Operand pointer, std::size_t at);

  /// A member of a struct holds pointers that nobody else has.
  [[nodiscard]] bool is_own_slot(MemberKey key);
  /// A value that is put somewhere is given, or made for this. `origins`: what was put there already.
  [[nodiscard]] bool is_own_value(FunctionId id, std::size_t at, Operand value, std::set<Origin>& origins, int left);
  /// The second is made anew whenever the first happens.
  [[nodiscard]] bool are_in_one_loop(FunctionId id, std::size_t at, std::size_t made);
  [[nodiscard]] const FunctionBody& body(FunctionId id);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  TakenObjects& taken_;
  SourceStructs structs_;
  DeclaredPlaces places_;
  std::map<MemberKey, std::vector<Store>> stores_;      ///< of pointers
  std::set<MemberKey> spoiled_;                         ///< members with pointers that several may have
  std::map<FunctionId, std::vector<Store>> callbacks_;  ///< what they will be called with
  std::map<FunctionId, std::vector<Store>> events_;     ///< by function: objects given to events that lie there
  std::map<FunctionId, Givers> entries_;                ///< threads and callbacks with arguments of their own
  std::map<Question, Givers> known_;
  std::vector<Question> assumed_;  ///< answers that rest on one that was still looked for
  std::map<MemberKey, bool> slots_;
  std::map<FunctionId, std::unique_ptr<FunctionBody>> bodies_;
};

}  // namespace heddle::scan
