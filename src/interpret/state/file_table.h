// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files as the program sees them. The machine has a file system of its own: it holds what the program wrote. Standard
// input, and a file that the program did not write, come from the host where MachineOptions::host gives them (`heddle
// run`); else they are input: the Chooser says whether the file is there and each of its bytes.
//
//   FILE *f = fopen("log", "w"); fputs("x", f); fclose(f);    // stored
//   f = fopen("log", "r");                                    // "x"
//   f = fopen("config", "r");                                 // a choice: null, or bytes that are choices
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::interpret {

enum class FileKind : std::uint8_t {
  Closed,
  Input,   ///< standard input
  Output,  ///< standard output
  Errors,  ///< standard error
  Stored,
  Unknown,  ///< was there before the program: its bytes are choices
};

struct OpenFile {
  FileKind kind = FileKind::Closed;
  bool may_read = false;
  bool may_write = false;
  bool appends = false;
  bool at_end = false;
  bool failed = false;
  std::int32_t pushed = -1;  ///< ungetc
  std::uint32_t stored = 0;
  std::uint64_t position = 0;
  std::uint64_t stream = 0;  ///< address of the FILE, 0: opened as a descriptor
};

struct StoredFile {
  std::string name;  ///< empty: removed or temporary
  std::string content;
};

/// Open files by descriptor: 0, 1 and 2 are the standard streams.
struct FileTable {
  std::vector<OpenFile> open = {{FileKind::Input, true, false, false, false, false, -1, 0, 0, 0},
                                {FileKind::Output, false, true, false, false, false, -1, 0, 0, 0},
                                {FileKind::Errors, false, true, false, false, false, -1, 0, 0, 0}};
  std::vector<StoredFile> stored;
  std::vector<std::string> removed;  ///< names that are free until the program makes such a file
};

struct OpenMode {
  bool may_read = false;
  bool may_write = false;
  bool appends = false;
  bool creates = false;
  bool truncates = false;
  bool is_new = false;  ///< fails if the file exists
};

}  // namespace heddle::interpret
