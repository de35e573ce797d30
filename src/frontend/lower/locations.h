// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/DebugInfoMetadata.h>

#include <compare>
#include <map>
#include <string>

#include "program/model/program.h"

namespace heddle::frontend {

/// Debug locations → Program.locations, each place once. Line 0 ("made by the compiler") is no location.
class Locations {
 public:
  explicit Locations(Program& program) : program_(program) {}
  LocationId of(const llvm::DILocation* location);
  LocationId of(const llvm::DIFile* file, unsigned line);

 private:
  struct Key {
    FileId file;
    unsigned line = 0;
    unsigned column = 0;
    LocationId inlined_at;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  FileId file_of(const llvm::DIFile* file);
  LocationId intern(Key key);

  Program& program_;
  std::map<std::string, FileId> files_;
  std::map<Key, LocationId> known_;
};

}  // namespace heddle::frontend
