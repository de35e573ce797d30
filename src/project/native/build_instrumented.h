// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program becomes an executable with hooks (instrument/instrument.h), linked with libheddle_runtime.a:
//
//   FOLDER/program      the executable
//   FOLDER/accesses     what the numbers in its hooks mean (program/names/access_table.h)
//   FOLDER/objects/     its units; those whose code did not change are not made again
//
// The program is linked as its own build linked it: the same libraries and flags in the same order. Objects and
// archives that were not captured, and shared libraries, stay as they are. Nothing is run but the compiler driver that
// links, and that only if it is one of the system (link_program.h).
#pragma once
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "base/result.h"
#include "frontend/clang/source.h"
#include "instrument/instrument.h"

namespace heddle::project {

struct NativeOptions {
  std::string folder = {};   ///< made if it is not there
  std::string runtime = {};  ///< the archive; empty: looked for beside heddle
  bool hook_all = false;
  bool tell_ways = false;  ///< see instrument/instrument.h
  bool with_tsan = false;  ///< ThreadSanitizer watches, too
  unsigned processes = 1;  ///< units at a time
};

struct NativeProgram {
  std::string program;  ///< the executable
  std::string table;    ///< the file of its accesses
  instrument::HookCounts counts;
  std::size_t units = 0;
  std::size_t reused = 0;          ///< of these, not made again
  std::vector<std::string> notes;  ///< what is not as its own build has it
};

/// Of a file's content: a schedule belongs to an executable's. "none" if it cannot be read.
std::string identity_of(const std::string& file);

Result<NativeProgram> build_instrumented(const std::vector<frontend::Source>& sources, const frontend::Options& options,
                                         const api::ApiModels& models, const NativeOptions& how);

/// The same of a captured project. `folder`: .heddle; `program`: one of those that its build linked, empty if there is
/// only one.
Result<NativeProgram> build_instrumented_project(const std::string& folder, const std::string& program,
                                                 const api::ApiModels& models, const NativeOptions& how);

}  // namespace heddle::project
