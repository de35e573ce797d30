// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build's commands become a captured project: every unit compiled once, stored, and known again as long as it does
// not change.
//
//   .heddle/commands.json   the compile commands, in the format of compile_commands.json
//   .heddle/project.json    which units make up the project, and what was tried and failed
//   .heddle/links.json      what the build linked (link_steps.h)
//   .heddle/units/          one file a unit (unit_store.h)
//   .heddle/linked/         the units as one Program, once somebody asked for it (load_project.h)
//
// Units are compiled in processes of their own, in parallel. A unit that fails is skipped, with clang's message; the
// rest goes on. What is finished stays finished, whatever happens: an interrupted capture goes on where it was. The
// result does not depend on the number of processes.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/compile_database.h"
#include "build/real_compiler.h"
#include "project/coverage.h"

namespace heddle::project {

struct CaptureProgress {
  std::size_t done = 0, total = 0, unchanged = 0, failed = 0;
  std::string file;  ///< the unit that was finished last
};

struct CaptureOptions {
  std::string folder = ".heddle";
  unsigned processes = 1;
  bool keep_bitcode = true;
  build::AskRules asks = {};      ///< which compilers may be started; what lies in the project's folder never is
  unsigned unit_seconds = 900;    ///< a unit that takes longer failed
  std::uint64_t unit_memory = 0;  ///< bytes; a unit that needs more failed; 0: no limit
  std::function<void(const CaptureProgress&)> progress;
  const std::atomic<bool>* stop = nullptr;
};

/// An error: nothing could be captured, or the folder cannot be used (another heddle works there, the disk is full …).
Result<Coverage> capture_project(const build::CompileDatabase& database, const CaptureOptions& options);

}  // namespace heddle::project
