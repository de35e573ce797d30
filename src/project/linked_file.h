// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linked Program on disk, so that a project that did not change costs one file to read and no linking:
//
//   .heddle/linked/NAME.unit   the Program (program/unit/unit_file.h)
//   .heddle/linked/NAME.json   the key of what it was linked from, the checksum of the Program, the conflicts of
//                              linking; written last
//
// The key says which units there were, in which order, with which content, and how they were linked. A pair of files
// that do not belong together, as two heddles at once or a crash may leave them, is noticed by the checksum.
#pragma once
#include <expected>
#include <string>

#include "base/content_hash.h"
#include "program/link/link.h"

namespace heddle::project {

struct NoLinkedFile {
  std::string damage;  ///< what is wrong with it; empty: there is none, or its units have changed
};

std::expected<Linked, NoLinkedFile> read_linked_file(const std::string& folder, const std::string& name,
                                                     const ContentHash& key);

/// Makes the folder if it is not there.
Result<void> write_linked_file(const std::string& folder, const std::string& name, const ContentHash& key,
                               const Linked& linked);

}  // namespace heddle::project
