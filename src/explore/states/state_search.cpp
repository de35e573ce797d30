// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/states/state_search.h"

#include <algorithm>
#include <unordered_set>

#include "base/contains.h"
#include "explore/states/touched_bytes.h"

namespace heddle::explore {
namespace {

struct StatesChecker : race::ProofChecker {
  static std::optional<race::Proof> check(const std::string& why, const std::set<std::string>& gaps,
                                          std::set<std::string> assumptions, std::uint64_t states) {
    if (!why.empty() || !gaps.empty()) return std::nullopt;
    return accept(race::Proof::Form::States, "no state has it: all were looked at", std::move(assumptions), states);
  }
};

struct DigestHash {
  std::size_t operator()(const ContentHash& digest) const { return digest.low; }
};

/// What a step did to memory.
struct StepBytes {
  TouchedBytes plain;               ///< by plain accesses
  TouchedBytes operations;          ///< by atomic accesses, in atomic sections, by calls on synchronisation objects
  std::vector<ThreadIndex> joined;  ///< threads whose end it has waited for
  bool was_alone = false;           ///< up to a thread that it made; `plain` is what came behind
};

/// A lock has at least the byte that it is known by.
Bytes object_of(const Deed& deed) { return {deed.address, std::max<std::uint64_t>(deed.size, 1)}; }

/// What may not be used as memory: of an object that says nothing, as much as the smallest has, a spin lock.
Bytes forbidden(std::uint64_t address, std::uint64_t size) { return {address, std::max<std::uint64_t>(size, 4)}; }

/// Something that the thread may have had to wait for.
bool gets(DeedKind kind) {
  return kind == DeedKind::Acquire || kind == DeedKind::AcquireShared || kind == DeedKind::Join;
}

class StateSearch {
 public:
  StateSearch(const Subject& subject, const StateSearchOptions& options)
      : subject_(subject),
        options_(options),
        executor_(subject.for_search({.events = options.deepest + 1, .by_states = true})),
        gaps_(subject.open_ends()) {}

  StateSearchResult run() {
    StateSearchResult result;
    if (subject_.memory_orders() != MemoryOrders::SequentiallyConsistent)
      why_ = "an atomic access is weaker than sequential consistency";
    if (why_.empty() && gaps_.empty()) visit_all();
    finish_gaps();
    result.proof = StatesChecker::check(why_, gaps_, subject_.assumptions(), seen_.size());
    if (!result.proof) result.why = why_.empty() ? *gaps_.begin() : why_;
    result.states = seen_.size();
    return result;
  }

 private:
  struct Move {
    ThreadIndex thread = 0;
    std::uint32_t choice = 0;
  };
  struct Node {
    std::vector<Move> moves;  ///< still to be made from here
    /// While one thread asks for an input: what the others could do. They need to do it here only if the inputs lead
    /// back to where the search has been.
    std::vector<Move> put_off;
    std::vector<std::pair<ThreadIndex, TouchedBytes>> tails;  ///< that the step to here replaced
  };

  void visit_all() {
    executor_->restart();
    enter({});
    while (!path_.empty() && why_.empty()) {
      if (path_.back().moves.empty()) {
        leave();
        continue;
      }
      const Move move = path_.back().moves.back();
      path_.back().moves.pop_back();
      make(move);
    }
  }

  /// The state that the executor is in; there may be nothing to be done in it.
  void enter(Node node) {
    const std::optional<WholeState> state = executor_->whole_state();
    if (!state) {
      why_ = "states are not known here";
      return;
    }
    work_ += state->bytes;
    const bool is_new = seen_.insert(key_of(*state)).second;
    if (!is_new || executor_->stopped()) {
      give_back(node);
      if (!is_new && !path_.empty()) take_up(path_.back());
      return;
    }
    note_waiting();
    add_moves(node);
    path_.push_back(std::move(node));
    check_limits();
  }

  void add_moves(Node& node) {
    const std::vector<ThreadIndex> enabled = executor_->enabled();
    const auto asking =
        std::ranges::find_if(enabled, [&](const ThreadIndex thread) { return executor_->asks_for_input(thread); });
    for (const ThreadIndex thread : enabled)
      (asking == enabled.end() || thread == *asking ? node.moves : node.put_off).push_back({thread, 0});
  }

  void take_up(Node& node) {
    node.moves.insert(node.moves.begin(), node.put_off.begin(), node.put_off.end());
    node.put_off.clear();
  }

  void leave() {
    give_back(path_.back());
    path_.pop_back();
  }

  /// As it was in front of the step that led to the node.
  void give_back(Node& node) {
    while (!node.tails.empty()) {
      tail(node.tails.back().first) = std::move(node.tails.back().second);
      node.tails.pop_back();
    }
  }

  void make(const Move& move) {
    executor_->rewind(path_.size() - 1);
    const std::uint64_t before = executor_->instructions();
    const bool is_input = executor_->asks_for_input(move.thread), is_alone = executor_->thread_count() == 1;
    const Event event = executor_->step(move.thread, move.choice);
    work_ += instruction_cost * (executor_->instructions() - before);
    if (move.choice == 0)
      for (std::uint32_t other = 1; other < event.choices; ++other) path_.back().moves.push_back({move.thread, other});
    StepBytes bytes = bytes_of(executor_->deeds(), is_alone);
    if (meets_tail(move.thread, bytes)) {
      why_ = "two accesses meet in a state, and nothing orders them";
      return;
    }
    if (!executor_->gaps().empty()) {
      why_ = *executor_->gaps().begin();
      return;
    }
    if (is_input && !bytes.was_alone) bytes.plain.add(tail(move.thread));
    Node node;
    replace(node, move.thread, std::move(bytes.plain));
    for (const ThreadIndex joined : bytes.joined) replace(node, joined, {});
    enter(std::move(node));
  }

  void replace(Node& node, ThreadIndex thread, TouchedBytes with) {
    node.tails.emplace_back(thread, std::move(tail(thread)));
    tail(thread) = std::move(with);
  }

  TouchedBytes& tail(ThreadIndex thread) {
    if (tails_.size() <= thread) tails_.resize(thread + 1);
    return tails_[thread];
  }

  bool meets_tail(ThreadIndex thread, const StepBytes& step) const {
    for (ThreadIndex other = 0; other < tails_.size(); ++other)
      if (other != thread && !contains(step.joined, other) &&
          (step.plain.conflicts_with(tails_[other]) || step.operations.conflicts_with(tails_[other])))
        return true;
    return false;
  }

  /// What a section does behind something that lets another thread go on is no part of an operation: that thread's
  /// step comes behind it in every order.
  StepBytes bytes_of(std::span<const Deed> deeds, bool is_alone) {
    StepBytes step;
    bool in_section = false, has_given = false;
    for (const Deed& deed : deeds) {
      const Bytes bytes{deed.address, deed.size};
      if (gets(deed.kind) && !is_alone && !in_section && !step.plain.empty())
        gaps_.insert("a call touches memory before it waits");
      switch (deed.kind) {
        case DeedKind::Read:
        case DeedKind::Write:
        case DeedKind::AtomicRead:
        case DeedKind::AtomicWrite:
          ((in_section && !has_given) || is_atomic(deed.kind) ? step.operations : step.plain)
              .add(bytes, !only_reads(deed.kind));
          accessed_.add(bytes, true);
          if (in_section && !is_atomic(deed.kind)) in_sections_.add(bytes, !only_reads(deed.kind));
          if (!in_section && is_atomic(deed.kind)) atomics_.add(bytes, !only_reads(deed.kind));
          break;
        case DeedKind::Free:
          step.plain.add(bytes, true);
          ended_.add(bytes, true);
          break;
        case DeedKind::SyncReset:  // its content may be copied to where somebody waits
          step.plain.add(object_of(deed), true);
          objects_.add(forbidden(deed.address, deed.size), true);
          break;
        case DeedKind::Release:
        case DeedKind::ReleaseShared: has_given = true; [[fallthrough]];
        case DeedKind::Acquire:
        case DeedKind::AcquireShared:
        case DeedKind::Uses:
        case DeedKind::Asks:
          if (deed.address == library_object) break;
          step.operations.add(object_of(deed), true);
          objects_.add(forbidden(deed.address, deed.size), true);
          break;
        case DeedKind::Join: step.joined.push_back(static_cast<ThreadIndex>(deed.address)); break;
        case DeedKind::SectionBegin:
          in_section = true;
          has_given = false;
          break;
        case DeedKind::SectionEnd:
        case DeedKind::SectionFailed: in_section = false; break;
        case DeedKind::Spawn:
          if (is_alone) {  // nobody was there, and whoever comes does so behind it
            step.plain = {};
            step.was_alone = true;
          }
          is_alone = false;
          has_given = true;
          break;
        case DeedKind::ThreadEnd:
        case DeedKind::Fence: break;
      }
    }
    return step;
  }

  /// A thread that waits for itself is in a state that the language does not know.
  void note_waiting() {
    for (ThreadIndex t = 0; t < executor_->thread_count(); ++t) {
      if (executor_->standing(t) != Standing::Waits) continue;
      const std::optional<std::uint64_t> object = executor_->awaited_object(t);
      if (!object) continue;
      objects_.add(forbidden(*object, 0), true);
      if (contains(executor_->held(t), *object)) why_ = "a thread waits for a lock that it holds itself";
    }
  }

  void check_limits() {
    if (seen_.size() > options_.states || work_ > options_.work) why_ = "there are too many states";
    if (path_.size() > options_.deepest) why_ = cut_at_limit;
    if (options_.stop.is_asked()) why_ = "the search ended early: " + options_.stop.why();
  }

  /// What only all of it shows.
  void finish_gaps() {
    gaps_.insert(executor_->gaps().begin(), executor_->gaps().end());
    if (accessed_.meets(objects_)) gaps_.insert("a lock is used as plain memory");
    if (in_sections_.conflicts_with(atomics_))
      gaps_.insert("an atomic access meets a plain one inside an atomic section");
    if (ended_.meets(objects_)) gaps_.insert("memory ends in which a lock lay");
  }

  ContentHash key_of(const WholeState& state) const {
    Hasher hasher;
    hasher.add(state.digest.high).add(state.digest.low);
    for (std::size_t t = 0; t < tails_.size(); ++t) {
      if (tails_[t].empty()) continue;
      hasher.add(t);
      tails_[t].add_to(hasher);
    }
    return hasher.finish();
  }

  static constexpr std::uint64_t instruction_cost = 16;  // as so many bytes of a state

  const Subject& subject_;
  const StateSearchOptions& options_;
  std::unique_ptr<Executor> executor_;
  std::vector<Node> path_;
  std::vector<TouchedBytes> tails_;  ///< by thread
  std::unordered_set<ContentHash, DigestHash> seen_;
  // Anywhere: all accesses, plain ones in sections, atomic ones outside; freed memory; synchronisation objects.
  TouchedBytes accessed_, in_sections_, atomics_, ended_, objects_;
  std::set<std::string> gaps_;
  std::string why_;
  std::uint64_t work_ = 0;
};

}  // namespace

StateSearchResult prove_by_states(const Subject& subject, const StateSearchOptions& options) {
  return StateSearch(subject, options).run();
}

}  // namespace heddle::explore
