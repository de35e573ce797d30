// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words: what an executor can say of its present state to a reader. Searches work with numbers; words are made when a
// report, a replay or a finding asks for them, by the side that knows the program.
#pragma once
#include <string>
#include <vector>

#include "explore/executor/deed.h"
#include "report/race_report.h"

namespace heddle::explore {

enum class EndingKind : std::uint8_t {
  Running,  ///< no ending
  Exited,
  Deadlock,
  AssertionFailed,
  Aborted,
  Crashed,      ///< undefined behaviour, a fatal signal
  Infeasible,   ///< an assumption is false, or all that is left waits for one
  LimitMet,     ///< nothing is known about what would follow
  Unsupported,  ///< the executor cannot go on: `what` says with what
  LockMisused,  ///< the program goes on
};

/// A deadlock, failed assertion, abort, crash or misused lock: worth telling.
inline bool is_failure(EndingKind kind) {
  return kind == EndingKind::Deadlock || kind == EndingKind::AssertionFailed || kind == EndingKind::Aborted ||
         kind == EndingKind::Crashed || kind == EndingKind::LockMisused;
}

struct Ending {
  EndingKind kind = EndingKind::Running;
  std::string what;  ///< "read of 4 bytes through a null pointer"
  ThreadIndex thread = no_thread;
  std::vector<ReportFrame> stack;  ///< innermost first; none for a deadlock
};

class Words {
 public:
  Words() = default;
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  virtual ~Words() = default;

  /// The access to these bytes that the thread's next operation makes.
  [[nodiscard]] virtual ReportAccess describe(ThreadIndex thread, const Bytes& bytes) = 0;
  /// An access that the latest step made.
  [[nodiscard]] virtual ReportAccess describe_made(const Deed& deed) = 0;
  /// `counter`, `heap object of 8 bytes, byte 4`.
  [[nodiscard]] virtual std::string name_of(std::uint64_t address) const = 0;
  /// What the bytes hold, as hexadecimal; empty: not known.
  [[nodiscard]] virtual std::string value_at(const Bytes& bytes) const = 0;
  /// `main`, `thread 2 (worker)`.
  [[nodiscard]] virtual std::string thread_name(ThreadIndex thread) const = 0;
  /// Where it stands, innermost first; empty: it has ended.
  [[nodiscard]] virtual std::vector<ReportFrame> stack(ThreadIndex thread) const = 0;

  /// What the program was given from outside: `getpid = 7`.
  [[nodiscard]] virtual std::vector<std::string> inputs() const { return {}; }

  /// How the program ended.
  [[nodiscard]] virtual Ending ending() const = 0;
  /// How threads that were stopped in front of it would have ended it, in order.
  [[nodiscard]] virtual std::vector<Ending> avoided() const = 0;
  /// Misused locks, in order.
  [[nodiscard]] virtual std::vector<Ending> misuses() const = 0;
};

}  // namespace heddle::explore
