// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The key with which a user's heddle seals what it keeps, so that a project cannot bring its own `.heddle/` along.
//
//   $HEDDLE_KEY_FILE, else $XDG_STATE_HOME/heddle/key, else ~/.local/state/heddle/key
//
// 128 random bits, made once, for the user's eyes only. Two processes that make it at the same time end with one key.
// Whoever wants to share a `.heddle/` (the cache of a CI, another machine) gives both sides the same file.
//
// A key that cannot be kept is one for this process alone: what it seals nobody believes, and it believes nothing.
#pragma once
#include <string>

#include "base/kept/mac.h"

namespace heddle::kept {

struct UserKey {
  MacKey key;
  std::uint64_t name = 0;  ///< tells keys apart, and nothing of them
  std::string trouble;     ///< why it is for this process alone; empty: it is kept
};

/// Read, or made, when it is asked for first; the same for the whole process, as the user is.
const UserKey& user_key();

/// That of one file. `is_named`: the user named it, so that others may read it.
UserKey load_user_key(const std::string& file, bool is_named);

}  // namespace heddle::kept
