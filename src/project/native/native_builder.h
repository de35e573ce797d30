// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "project/native/build_instrumented.h"
#include "project/native/link_program.h"
#include "project/native/object_store.h"

namespace heddle::project {

/// What sources and captured projects have in common: units to objects, objects to a program.
class NativeBuilder {
 public:
  NativeBuilder(const api::ApiModels& models, const NativeOptions& how) : models_(models), how_(how) {}

  /// First: the functions that units define are not the library's.
  void note_definitions(const std::vector<std::string>& functions);
  /// Then: makes the folder.
  Result<void> prepare();
  /// Then, for each unit: the path of its object.
  Result<std::string> add(const instrument::UnitCode& code, const Program* names);
  [[nodiscard]] std::string objects_folder() const { return folder_ + "/objects"; }
  /// At last; `job` says what is linked and how.
  Result<NativeProgram> finish(LinkJob job, std::vector<std::string> notes);

 private:
  [[nodiscard]] std::string path(const char* name) const { return folder_ + "/" + name; }
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
