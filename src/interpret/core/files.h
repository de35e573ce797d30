// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program does with files, on the tables of state/file_table.h: opening by name, reading a byte, writing text,
// and the FILE objects that stand for open files in the program's memory.
//
//   FILE *f = fopen("log", "w")      open_named("log", …) gives 3, stream_object(3) the FILE
//   fputs("x", f)                    descriptor_of(f) gives 3, write(3, "x")
//
// All of it changes the state of the library: who calls these has called LibraryStore::save before, once per call of
// the library (open_named and remove do it themselves).
#pragma once
#include "interpret/core/choices.h"
#include "interpret/core/library_objects.h"
#include "interpret/state/library_store.h"

namespace heddle::interpret {

class Files {
 public:
  Files(MachineOptions& options, Memory& memory, LibraryStore& library, Account& account, Choices& choices,
        Space& space, LibraryObjects& objects)
      : options_(options),
        memory_(memory),
        library_(library),
        account_(account),
        choices_(choices),
        space_(space),
        objects_(objects) {}

  /// Ends the run if there is no such descriptor.
  OpenFile& open_file(std::uint64_t descriptor);
  [[nodiscard]] const StoredFile& stored(const OpenFile& file) const;
  Slot stream_object(std::uint32_t descriptor);
  std::uint32_t descriptor_of(const Slot& stream);
  int read_byte(std::uint32_t descriptor);  ///< -1: the end
  bool write(std::uint32_t descriptor, std::string_view text);
  /// Whether what standard input holds is given; asks the host for it once.
  bool knows_input();
  std::int64_t open_named(const std::string& name, const OpenMode& mode);  ///< a descriptor, or minus the error number
  int remove(const std::string& name);                                     ///< 0 or the error number

 private:
  int chosen_byte(std::string_view source);
  /// Ends the run if it is not known whether a file of this name can be there, or what it holds.
  void check_name(const std::string& name);
  bool write_stored(OpenFile& file, std::string_view text);
  /// Looks for a file that the program did not make. Minus an error number, or 0; `file` and `stored` are changed.
  int find_outside(const std::string& name, const OpenMode& mode, OpenFile& file, std::int64_t& stored);
  std::uint32_t add(std::string name, std::string content);
  std::int64_t add_open(const OpenFile& file);

  MachineOptions& options_;
  Memory& memory_;
  LibraryStore& library_;
  Account& account_;
  Choices& choices_;
  Space& space_;
  LibraryObjects& objects_;
};

}  // namespace heddle::interpret
