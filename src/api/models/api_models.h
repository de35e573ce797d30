// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The set of API models a run uses: those shipped in models/*.toml (embedded in the binary at build time), then those
// of the user's heddle.toml, which win. Look-up is by symbol; exact names before prefixes, longer prefixes first.
// A function with a body is what its body says, so callers ask only for undefined symbols. Two exceptions are written
// down: `atomic_functions`, prefixes of *defined* functions whose bodies are one atomic section, and wrappers, which
// only who scans whole projects looks for (find_wrapper). A profile such as `kernel` is a shipped file that is read on
// request. The rules of `sv-comp` are always read and hold for programs that mention its functions; that profile can
// also be chosen for every program, or refused (`no-sv-comp`).
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/effect.h"
#include "api/system_rules.h"
#include "base/result.h"
#include "program/model/program.h"

namespace heddle::api {

struct ModelFile;

class ApiModels {
 public:
  /// The models shipped with heddle.
  static Result<ApiModels> shipped();

  /// Those of them that the program can ask for; not all().
  static Result<ApiModels> shipped_for(const Program& program);

  /// Adds or replaces models from TOML text. `file` is for messages: `file:line:column: what`.
  Result<void> add_toml(std::string_view text, const std::string& file);

  /// Adds the models and entries of a shipped profile, or chooses or refuses one that is always read; an unknown name
  /// is an error that lists the known ones.
  Result<void> add_profile(std::string_view name);
  [[nodiscard]] static std::vector<std::string> profiles();

  /// Adds models of functions that have none yet.
  void add_missing(std::vector<Model> models);

  /// The model of an undefined function; null when there is none ("not known", never "no effect").
  [[nodiscard]] const Model* find(std::string_view symbol) const;

  /// The model of a function that may have a body, if it says that it holds nevertheless.
  [[nodiscard]] const Model* find_wrapper(std::string_view symbol) const;

  /// What is called from outside, in the order of the files.
  [[nodiscard]] const std::vector<EntryRule>& entries() const { return entries_; }

  /// What the entries run on; where files contradict each other, the last one holds.
  [[nodiscard]] const SystemRules& system() const { return system_; }

  /// A file that is not shipped describes a system of tasks and interrupts: [system], or entries with a kind, a
  /// priority or a number.
  [[nodiscard]] bool describes_system() const { return describes_system_; }

  /// True for defined functions whose whole body is one atomic section.
  [[nodiscard]] bool is_atomic_function(std::string_view symbol) const;

  /// True for a closed program, one that mentions certain functions: whatever else it leaves undefined only returns a
  /// value (assumption `undefined-functions`).
  [[nodiscard]] bool is_closed(const Program& program) const;
  /// True if a profile says that in this program atomic accesses of every order are sequentially consistent.
  [[nodiscard]] bool has_sequential_atomics(const Program& program) const;

  /// True if volatile marks accesses that are meant to race (assumption `marked-volatile` of scans).
  [[nodiscard]] bool volatile_is_marked() const { return volatile_is_marked_; }

  /// True for a variable of a library if the models tell which functions touch it.
  [[nodiscard]] bool knows_variable(std::string_view symbol) const { return variables_.contains(symbol); }

  [[nodiscard]] std::vector<const Model*> all() const;  ///< sorted by name

 private:
  Result<void> add(Result<ModelFile> read, const std::string& file);
  void add_system(SystemRules rules);

  bool is_whole_ = true;  ///< holds all shipped models
  std::map<std::string, Model, std::less<>> exact_;
  std::map<std::string, Model, std::less<>> prefixes_;  ///< without the '*'
  /// `[profile]` of one file.
  struct Rules {
    std::string name;
    std::vector<std::string> atomic_prefixes;
    std::vector<std::string> closed_prefixes;
    bool sequential_atomics = false;
    bool is_chosen = false, is_refused = false;
    [[nodiscard]] bool hold_for(const Program& program) const;
  };
  std::vector<Rules> rules_;
  std::set<std::string, std::less<>> variables_;
  bool volatile_is_marked_ = false;
  std::vector<EntryRule> entries_;
  SystemRules system_;
  bool describes_system_ = false;
};

}  // namespace heddle::api
