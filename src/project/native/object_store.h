// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumented units in the folder of a program, each by the content it was made of:
//
//   objects/ab12….o      the object
//   objects/ab12….made   the seal of the object, what was hooked and the rows of its accesses; sealed, written last
#pragma once
#include <optional>
#include <string>

#include "base/kept/kept_file.h"
#include "instrument/instrument.h"

namespace heddle::project {

class ObjectStore {
 public:
  /// `models` and `options` decide what is made of a unit, and so does heddle itself.
  ObjectStore(std::string folder, const api::ApiModels& models, const instrument::HookOptions& options);

  /// Makes its folders.
  [[nodiscard]] Result<void> prepare() const;
  /// Of a unit and the names of its files.
  [[nodiscard]] std::string key_of(const instrument::UnitCode& code, const Program* names) const;

  [[nodiscard]] std::string object_path(const std::string& key) const { return object(key).path(); }
  /// Without the object, which stays where it is. None: it is not there, or not what was put there.
  [[nodiscard]] std::optional<instrument::InstrumentedUnit> find(const std::string& key) const;
  [[nodiscard]] Result<void> put(const std::string& key, const instrument::InstrumentedUnit& unit) const;

 private:
  [[nodiscard]] kept::Place object(const std::string& key) const { return {folder_, "objects/" + key + ".o"}; }
  [[nodiscard]] kept::Place made(const std::string& key) const { return {folder_, "objects/" + key + ".made"}; }

  std::string folder_;
  const instrument::HookOptions& options_;
  ContentHash setting_;
};

}  // namespace heddle::project
