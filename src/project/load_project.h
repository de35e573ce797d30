// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured project (capture.h) as one Program.
//
//   load_project({.capture = {.folder = ".heddle"}})                            all its units
//   load_project({.capture = {.folder = ".heddle"}, .program = "redis-server"}) those of one of its programs
//
// The linked Program is kept (linked_file.h): a project that did not change is one file to read. Otherwise the units
// are read and linked again, without a compiler. Files that are damaged or of an older heddle are made again, and the
// notes say so. A folder that cannot be written costs only that nothing is kept.
//
// Which units a program has is known from the build's link steps. Without them it is all units but those with another
// main, and of a source that several programs compile each for itself the unit whose object is named most like main's.
#pragma once
#include <string>
#include <vector>

#include "program/link/link.h"
#include "project/capture.h"

namespace heddle::project {

struct LoadOptions {
  CaptureOptions capture;
  std::string program;  ///< its file or its name, or the unit that holds its main; empty: everything
};

struct Project {
  Linked linked;
  Coverage coverage;                  ///< of the whole capture
  std::string program;                ///< the one that was chosen
  std::vector<std::string> programs;  ///< what can be chosen, if nothing was and there are several
  std::vector<std::string> notes;     ///< what was made again, and why
  std::vector<std::string> gaps;      ///< what is missing or not certain: with any of these nothing is proved
  ContentHash key = {};               ///< of the units and how they were linked: equal keys, equal programs
};

Result<Project> load_project(const LoadOptions& options);

}  // namespace heddle::project
