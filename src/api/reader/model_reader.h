// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TOML text -> models. Every mistake of the text gets its place; docs/models.md has the schema.
//
//   [[function]]
//   name = "pthread_mutex_lock"
//   effects = [ { acquire = 0, success = "zero" } ]
//
// Any text is safe to read: too deep, not UTF-8, endless numbers all end in messages. Cost: linear in the text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "api/code_rule.h"
#include "api/effect.h"
#include "api/system_rules.h"
#include "base/result.h"

namespace heddle::api {

/// `[capture]` of a project's heddle.toml: how its build is read. Everything may be empty.
struct CaptureSettings {
  std::vector<std::string> compilers;  ///< more names of compilers
  std::vector<std::string> build;      ///< the command that builds the project, in words
  std::string database;                ///< its compile_commands.json, relative to the file
};

/// `[run]` of a project's heddle.toml. Nothing is started because it stands there (`heddle check --run`).
struct RunSettings {
  std::string command;  ///< with its arguments, as one types it; empty: none
};

struct ModelFile {
  std::vector<Model> models;        ///< in the order of the file; names are unique
  std::string profile_name;         ///< under which its rules can be chosen and refused
  bool sequential_atomics = false;  ///< in its closed programs atomics of every order are sequentially consistent
  std::vector<std::string> atomic_prefixes;
  std::vector<std::string> closed_prefixes;
  bool volatile_is_marked = false;  ///< volatile accesses are meant to race; for a scan only
  std::vector<EntryRule> entries;
  SystemRules system;
  std::vector<CodeRule> code;                ///< used of shipped files only
  std::vector<std::string> known_variables;  ///< of libraries: functions touch them as their models say, no others
  CaptureSettings capture;
  RunSettings run;
};

/// `file` is for messages, `file:line:column: what`; several are separated by line ends.
[[nodiscard]] Result<ModelFile> read_models(std::string_view text, const std::string& file);

/// The same for a text in which [[function]] tables of the file are missing: what [[also]] says of these is nothing.
[[nodiscard]] Result<ModelFile> read_part_of_models(std::string_view text, const std::string& file);

}  // namespace heddle::api
