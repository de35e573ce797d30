// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/graph/reaching.h"

#include <algorithm>
#include <tuple>

namespace heddle::depend {
namespace {

constexpr std::size_t most_places = 4000;

class Walk {
 public:
  Walk(const Program& program, const CallGraph& calls, CallPaths& paths, MemoryCells& cells, const Cell& cell)
      : program_(program), calls_(calls), paths_(paths), cells_(cells), cell_(cell) {}

  /// Everything before the instruction of that path.
  void add(PathId path, std::size_t instruction) {
    add({path, calls_.block_of(paths_[path].function, instruction), instruction});
  }

  void add_ends(PathId path) {
    const FunctionId function = paths_[path].function;
    const flow::Cfg& cfg = calls_.cfg(function);
    for (const BlockId block : cfg.order)
      if (cfg.successors[block.index()].empty()) add_end(path, block);
  }

  ReachingWrites run(std::uint32_t entry) {
    std::size_t places = 0;
    while (!todo_.empty() && ++places <= most_places) {
      const Place place = todo_.back();
      todo_.pop_back();
      step(place);
    }
    if (!todo_.empty()) take_all(entry);
    return std::move(found_);
  }

 private:
  struct Place {
    PathId path;
    BlockId block;
    std::size_t end = 0;  ///< instructions of the block before this one are still to be seen
  };

  void add(const Place& place) {
    if (seen_.emplace(place.path, place.block, place.end).second) todo_.push_back(place);
  }

  void add_end(PathId path, BlockId block) {
    const Block& code = program_.functions[paths_[path].function].blocks[block.index()];
    add({path, block, code.first + code.count});
  }

  void step(const Place& place) {
    const FunctionId function = paths_[place.path].function;
    if (cell_.function != function && !cells_.writers(cell_).may_write.contains(function)) return go_up(place.path);
    const auto& events = cells_.events(function, cell_);
    const std::size_t first = program_.functions[function].blocks[place.block.index()].first;
    auto event = std::ranges::lower_bound(events, place.end, {}, &CellEvent::instruction);
    while (event != events.begin() && (--event)->instruction >= first) {
      if (event->is_call) {
        if (!enter(place.path, event->instruction)) return;
      } else {
        found_.writes.insert({place.path, event->instruction});
        if (event->is_sure) return;
      }
    }
    leave(place);
  }

  /// Into the functions that a call leads to. True: some way does not go through one that may write.
  bool enter(PathId path, std::size_t call) {
    const auto& may_write = cells_.writers(cell_).may_write;
    bool passes = false;
    for (const FunctionId target : calls_.targets(paths_[path].function, call))
      if (may_write.contains(target))
        add_ends(paths_.call(path, call, target));
      else
        passes = true;
    return passes;
  }

  /// From the beginning of a block to those before it, or to the callers.
  void leave(const Place& place) {
    const FunctionId function = paths_[place.path].function;
    const auto& before = calls_.cfg(function).predecessors[place.block.index()];
    for (const BlockId block : before) add_end(place.path, block);
    if (place.block.index() == 0 && cell_.function != function) go_up(place.path);
  }

  void go_up(PathId path) {
    if (paths_.may_begin(path)) found_.is_from_before = true;
    for (const CallPaths::Caller& caller : paths_.callers(path)) add(caller.path, caller.call);
  }

  void take_all(std::uint32_t entry) {
    found_.is_from_before = true;
    for (const CellWrite& write : cells_.writers(cell_).writes)
      if (paths_.reaches(entry, write.function))
        found_.writes.insert({paths_.any(write.function, entry), write.instruction});
  }

  const Program& program_;
  const CallGraph& calls_;
  CallPaths& paths_;
  MemoryCells& cells_;
  const Cell& cell_;
  std::vector<Place> todo_;
  std::set<std::tuple<PathId, BlockId, std::size_t>> seen_;
  ReachingWrites found_;
};

}  // namespace

ReachingWrites reaching_writes(const Program& program, const CallGraph& calls, CallPaths& paths, MemoryCells& cells,
                               PathId path, std::size_t instruction, const Cell& cell) {
  Walk walk(program, calls, paths, cells, cell);
  walk.add(path, instruction);
  return walk.run(paths[path].entry);
}

ReachingWrites writes_at_end(const Program& program, const CallGraph& calls, CallPaths& paths, MemoryCells& cells,
                             std::uint32_t entry, const Cell& cell) {
  Walk walk(program, calls, paths, cells, cell);
  walk.add_ends(paths.begin(entry));
  return walk.run(entry);
}

}  // namespace heddle::depend
