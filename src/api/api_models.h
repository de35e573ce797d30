// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The set of API models a run uses: those shipped in models/*.toml (embedded in the binary at build time), then those
// of the user's heddle.toml, which win. Look-up is by symbol; exact names before prefixes, longer prefixes first.
// A function with a body is what its body says, so callers ask only for undefined symbols. The one exception is
// written in a profile: `atomic_functions`, prefixes of *defined* functions whose bodies are one atomic section.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/effect.h"
#include "base/result.h"

namespace heddle::api {

class ApiModels {
 public:
  /// The models shipped with heddle.
  static Result<ApiModels> shipped();

  /// Adds or replaces models from TOML text. `file` is for messages: `file:line:column: what`.
  Result<void> add_toml(std::string_view text, const std::string& file);

  /// The model of an undefined function; null when there is none ("not known", never "no effect").
  [[nodiscard]] const Model* find(std::string_view symbol) const;

  /// True for defined functions whose whole body is one atomic section.
  [[nodiscard]] bool is_atomic_function(std::string_view symbol) const;

  /// True for functions that only closed programs mention: whatever else such a program leaves undefined only returns
  /// a value (assumption `undefined-functions`).
  [[nodiscard]] bool marks_closed_program(std::string_view symbol) const;

  [[nodiscard]] std::vector<const Model*> all() const;  ///< sorted by name

 private:
  std::map<std::string, Model, std::less<>> exact_;
  std::map<std::string, Model, std::less<>> prefixes_;  ///< without the '*'
  std::vector<std::string> atomic_prefixes_;
  std::vector<std::string> closed_prefixes_;
};

}  // namespace heddle::api
