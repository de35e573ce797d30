// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Program on disk: one file a translation unit, so that an unchanged unit costs no run of clang.
//
//   write_unit_file("cache/ab12.unit", unit);          atomic: a reader sees the old file, the new file or none
//   auto unit = read_unit_file("cache/ab12.unit");     the same Program, or an Error that says what is wrong with it
//
// The form: a header (magic, version, hash of the form, sizes, seal of all that follows), then one block of columns,
// compressed. A column holds one field of all rows of a kind, as varints: what is alike lies together. Reading checks
// the seal, every count, offset and id, and then that the whole is a Program (valid_program.h): a hostile file gives an
// Error, never a crash, and no more memory than a fixed multiple of its size. The bytes depend on the Program and on
// the key of the user alone (base/kept/kept_file.h); what another key sealed is not read. The seal does not say under
// which name a file belongs: whoever keeps several notes their identities.
#pragma once
#include <string>
#include <string_view>

#include "base/kept/kept_file.h"
#include "base/result.h"
#include "program/model/program.h"

namespace heddle {

/// Writes atomically (temporary file, fsync, rename).
Result<void> write_unit_file(const kept::Place& place, const Program& unit);
/// Mapped, seal verified, version checked. A damaged, truncated or older file is an Error whose message says which.
Result<Program> read_unit_file(const kept::Place& place);

/// Names the form of files this build writes: whoever keeps units by name puts it into the name.
ContentHash unit_form();

/// Tells two unit files apart by their headers alone: nothing else is read. An Error if it cannot be a whole unit file
/// of this heddle.
Result<ContentHash> unit_file_identity(const kept::Place& place);

/// The same without a file. Messages of `decode_unit` start with what is wrong; the caller names the place.
std::string encode_unit(const Program& unit);
Result<Program> decode_unit(std::string_view bytes);
/// Puts the right header on bytes that have room for one: how a fuzzer gets past the seal.
std::string seal_unit(std::string bytes);

}  // namespace heddle
