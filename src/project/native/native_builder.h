// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "project/native/build_instrumented.h"
#include "project/native/link_program.h"
#include "project/native/object_store.h"

namespace heddle::project {

/// A unit and, of a captured one, what the project calls its files.
struct NativeUnit {
  instrument::UnitCode code;
  std::optional<Program> names;
};
using UnitReader = std::function<Result<NativeUnit>(std::size_t unit)>;

/// What sources and captured projects have in common: units to objects, objects to a program.
class NativeBuilder {
 public:
  NativeBuilder(const api::ApiModels& models, const NativeOptions& how) : models_(models), how_(how) {}

  /// First: the functions and variables that units define are not the library's.
  void note_definitions(const std::vector<std::string>& names);
  /// Then: makes the folder.
  Result<void> prepare();
  /// Then: the objects of all units, in their order. They are made in processes of their own, which may write into the
  /// folder and start nothing.
  Result<std::vector<std::string>> add(std::size_t units, const UnitReader& read);
  [[nodiscard]] std::string objects_folder() const { return folder_ + "/objects"; }
  /// At last; `job` says what is linked and how.
  Result<NativeProgram> finish(LinkJob job, std::vector<std::string> notes);

 private:
  [[nodiscard]] std::string path(const char* name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string make(std::size_t unit, const UnitReader& read) const;
  Result<std::string> take(const std::string& answer);
  Result<void> write_exports(const std::string& runtime) const;

  const api::ApiModels& models_;
  const NativeOptions& how_;
  std::string folder_;
  instrument::HookOptions hooks_;
  std::optional<ObjectStore> objects_;
  AccessTable accesses_;
  NativeProgram out_;
};

}  // namespace heddle::project
