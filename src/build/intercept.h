// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a build and watches which compilers it starts.
//
//   intercept_build({"make", "-j2"}, {.folder = ".heddle"})   →   its CompileDatabase and exit status
//
// A small library (intercept/preload.c) is preloaded into every process of the build and notes each compiler that
// starts; the build itself runs as always. gcc's and ccache's own children are not counted again, checks of configure
// scripts are left out. Not seen: statically linked compilers, and what runs elsewhere (containers, a distcc server).
//
// With `recorder`, compile steps are not run: that program takes their place (`heddle cc`), logs the command and makes
// an empty object.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/compile_database.h"

namespace heddle::build {

struct InterceptOptions {
  std::string folder;                  ///< for the log while the build runs; must exist
  std::vector<std::string> compilers;  ///< more names of compilers
  std::string recorder;                ///< this program, or empty
};

struct InterceptResult {
  CompileDatabase database;  ///< may be empty: the caller says what that means
  int status = 0;            ///< the build's; 128 + signal if it was killed
  std::string last_error;    ///< of a build that failed: the line that says why, as far as one can be told from others
  std::size_t calls = 0;     ///< of compilers, whatever they did
  std::string log_damage;    ///< why not every call is known; empty: they are
  bool was_interrupted = false;
};

/// An error: the build could not be started, or could not be watched. The program is looked up in PATH.
Result<InterceptResult> intercept_build(std::span<const std::string> arguments, const InterceptOptions& options);

/// libheddle_intercept.so beside this program or in ../lib/heddle.
Result<std::string> intercept_library();

/// The calls in a log that the library wrote. Of one that was cut, those that can be read, with build_status
/// `incomplete_log`.
Result<CompileDatabase> read_intercept_log(const std::string& path, const std::vector<std::string>& compilers,
                                           std::size_t& calls);

/// Appends a record to the log as the library would: `heddle cc` notes itself.
void append_to_intercept_log(const std::string& log, const std::vector<std::string>& arguments);

}  // namespace heddle::build
