// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/write_archive.h"

#include <llvm/Object/ArchiveWriter.h>

namespace heddle::instrument {

Result<void> write_archive(const std::string& path, const std::vector<std::string>& objects) {
  std::vector<llvm::NewArchiveMember> members;
  for (const std::string& object : objects) {
    auto member = llvm::NewArchiveMember::getFile(object, true);
    if (!member) return error(object + ": " + llvm::toString(member.takeError()));
    members.push_back(std::move(*member));
  }
  if (auto failure = llvm::writeArchive(path, members, llvm::SymtabWritingMode::NormalSymtab,
                                        llvm::object::Archive::K_GNU, true, false))
    return error(path + ": " + llvm::toString(std::move(failure)));
  return {};
}

}  // namespace heddle::instrument
