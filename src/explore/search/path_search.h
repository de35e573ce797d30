// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What depth-first searches have in common: a stack of nodes, one for each state of the present path, and the loop that
// runs a path to its end, looks at it, goes back to the deepest node with something left, and runs from there again.
//
//   begin ─▶ extend ─▶ look_at_end ─▶ go back ─▶ run once more up to there ─▶ extend …
//
// A search says what is asked for at a node, and what the end of a path asks for. It may work on a Share only.
#pragma once
#include "explore/search/share.h"

namespace heddle::explore {

class PathSearch {
 public:
  PathSearch(const PathSearch&) = delete;
  PathSearch& operator=(const PathSearch&) = delete;
  virtual ~PathSearch() = default;

 protected:
  PathSearch(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit, Share share);

  void run();
  ShareReport report();

  [[nodiscard]] SearchStatistics& counts() { return counts_; }
  [[nodiscard]] const SearchStatistics& counts() const { return counts_; }

  /// A new node, whose enabled threads are known: who sleeps there, who is asked for.
  virtual void set_up(SearchNode& node) = 0;
  /// Runs the next thread that the last node asks for. False: there is none left.
  virtual bool run_next() = 0;
  /// The next outcome of the choice that the last node's event made.
  virtual void run_outcome(std::uint32_t outcome) = 0;
  /// Whether a thread is left to be run from the node.
  virtual bool has_next(SearchNode& node) = 0;
  /// Whether anything may still be run from the node at this depth.
  [[nodiscard]] virtual bool is_open(std::size_t depth) const = 0;
  /// Asks for what the path that has just ended gives cause for. False: this share ends here.
  virtual bool look_at_end(bool maximal) = 0;

  void run_event(ThreadIndex thread, std::uint32_t choice);
  /// The executor goes to the state behind the first `length` events of the path.
  void rerun(std::size_t length);
  /// If the node belongs to another share, that one is told.
  void wish(std::size_t depth, ThreadIndex thread);
  [[nodiscard]] std::size_t kept() const { return kept_; }

  Course& course_;
  const SearchKind kind_;
  const SearchLimits& limits_;
  std::vector<SearchNode> stack_;
  Trace trace_;
  std::size_t fresh_ = 0;  ///< first event that no earlier execution had

 private:
  bool begin();
  bool go_there();
  bool extend();
  bool go_back();
  bool is_at_limit();
  void take_next();

  const Visitor& visit_;
  SearchStatistics counts_;
  bool is_begun_;
  std::size_t first_, kept_;  ///< as in Share
  std::vector<Wish> wishes_;
  std::size_t agreed_ = 0;  ///< so many events of the path the executor has run, before it went elsewhere
};

}  // namespace heddle::explore
