// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution: what unrolling makes of a program: for each thread what it does where others may feel it, one after the
// other, each under a condition. All executions up to the bound at once; what they have of it and in which order the
// threads go is left to constraints (constraints.h).
//
//   if (x == 1) y = 2;       event 0: reads x, its value is a, if yes
//                            event 1: writes 2 to y,           if a = 1
//
// A point is a place in a thread where another one can come in: an event has one of its own, all events of an atomic
// section have one together.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "judge/circuit/words.h"
#include "program/model/program.h"

namespace heddle::judge::bmc {

/// The program cannot be unrolled, and why: "it computes with floating point".
struct NoEncoding {
  std::string why;
};

using ObjectNumber = std::uint32_t;
using PointNumber = std::uint32_t;
using EventNumber = std::uint32_t;
using ThreadNumber = std::uint32_t;
inline constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// Bytes of one object that accesses touch as a whole or not at all.
struct Cell {
  ObjectNumber object = 0;
  std::uint64_t begin = 0, end = 0;
  auto operator<=>(const Cell&) const = default;
};

/// What a touch means for a lock or condition whose state is never looked at but by these (unroll_locks.cpp). Who takes
/// a lock takes it from who gave it back, who is woken is woken by a signal: nothing else is said of them.
enum class TouchRole : std::uint8_t { Memory, Take, Give, BeginWait, Wake, Signal, Broadcast };

struct CellTouch {
  Cell cell;
  Bit if_here = Bit::yes();  ///< besides the event's condition: the address is this one
  Word value;                ///< that is read, free to be anything, or written
  bool is_write = false;
  TouchRole role = TouchRole::Memory;
};

struct UnrolledEvent {
  ThreadNumber thread = 0;
  PointNumber point = 0;
  Bit condition = Bit::yes();  ///< that the thread comes there, if it goes on so far
  FunctionId function;
  std::uint32_t instruction = 0;
  bool is_atomic = false;
  bool can_race = false;  ///< an access of the program, not a lock's inside
  bool in_section = false;
  bool is_part = false;            ///< of a step that an earlier event stands for
  EventNumber begun = nobody;      ///< of who is woken: where it began to wait
  std::vector<CellTouch> touches;  ///< an update reads before it writes
};

struct UnrolledPoint {
  ThreadNumber thread = 0;
  std::uint32_t position = 0;  ///< in its thread
  Bit is_done;                 ///< the execution has got behind it
  bool is_section = false;
};

/// If the thread gets behind the point, and `condition` holds, so does this: it had to wait for it.
struct Demand {
  PointNumber point = 0;
  Bit condition, holds;
};

/// If the point is done and `condition` holds, then so is the earlier one before it.
struct Wait {
  PointNumber earlier = 0, later = 0;
  Bit condition;
};

/// A value from outside that a thread asked for.
struct AskedValue {
  ThreadNumber thread = 0;
  PointNumber behind = nobody;  ///< the thread's latest point
  Bit condition;
  Word value;
};

struct UnrolledThread {
  ThreadNumber creator = nobody;
  PointNumber created_at = nobody;
  std::vector<PointNumber> points;
  PointNumber begin = nobody, end = nobody;
  Bit ends = Bit::no();  ///< it returns, if it goes on so far
};

/// A visible operation: what the interpreter stops in front of, or may.
struct Execution {
  std::vector<UnrolledThread> threads;
  std::vector<UnrolledPoint> points;
  std::vector<UnrolledEvent> events;  ///< of each thread in program order
  std::vector<Demand> demands;
  std::vector<Wait> waits;
  std::vector<AskedValue> asked;
  bool is_cut = false;        ///< something did not fit into the bounds
  bool is_cut_short = false;  ///< a thread did not fit: it has too many points
};

}  // namespace heddle::judge::bmc
