// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inside of a Machine: the collaborators of one run, made in the order in which they need each other. Core itself
// does nothing. Each collaborator is given at its construction exactly the others that it uses, so its constructor says
// what it can touch.
//
//   what is fixed      image
//   what is undoable   memory, threads, syncs, library, account; log and journal take it back
//   what is observed   recorder
//   what happens       space, heap: accesses      choices: answers of the Chooser
//                      gate, enabling, sections: where threads stop, and when they can go on
//                      frames: calls              files, objects: the library's own
//
// Those who carry out calls and instructions work on all of it and get the Core: sync/ (what models say that a call
// does), library/ (functions of the C and C++ libraries), machine/ (instructions). They are functions, and hold
// nothing.
#pragma once
#include "interpret/core/files.h"
#include "interpret/core/frames.h"
#include "interpret/core/heap.h"
#include "interpret/core/sections.h"

namespace heddle::interpret {

struct Core {
  /// The image is empty and main has no frame: machine/set_up.h does the rest.
  Core(const Program& program, MachineOptions given, Chooser& chooser);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  MachineOptions options;
  Image image;
  UndoLog log;
  Memory memory;
  Threads threads;
  SyncTable syncs;
  LibraryStore library;
  Account account;
  Journal journal;
  Recorder recorder;
  Space space;
  Choices choices;
  Heap heap;
  Enabling enabling;
  Gate gate;
  Sections sections;
  Frames frames;
  LibraryObjects objects;
  Files files;
};

}  // namespace heddle::interpret
