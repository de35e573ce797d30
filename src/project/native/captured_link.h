// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The link of a captured program, said again with instrumented objects: an object of a captured unit becomes ours, an
// archive of such objects an archive of ours, `-lNAME` that means such an archive as well. Whatever else was linked
// stays as it is.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/link_steps.h"
#include "project/native/link_program.h"

namespace heddle::project {

class CapturedLink {
 public:
  /// `object_for`: the instrumented object of what the build called so; empty: it was not captured.
  using ObjectFor = std::function<std::string(const std::string& object)>;
  /// `folder`: where archives go.
  CapturedLink(const build::LinkStep& step, const std::vector<build::LinkStep>& steps, ObjectFor object_for,
               std::string folder);

  /// Without runtime, exports and output.
  Result<LinkJob> job();
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  using Texts = std::vector<std::string>;
  Texts input(const std::string& argument, build::Language language);
  Texts library(const std::string& name, const Texts& folders);
  Texts linked(const std::string& path, const std::string& as_typed);
  Texts archive(const build::LinkStep& made);
  void flatten(const build::LinkStep& made, Texts& out);
  [[nodiscard]] const build::LinkStep* made_by(const std::string& path) const;

  const build::LinkStep& step_;
  std::map<std::string, const build::LinkStep*> steps_;  ///< by what they make
  ObjectFor object_for_;
  std::string folder_;
  std::set<std::string> foreign_, shared_;  ///< that stay as they are
  Texts dropped_;
  std::string failure_;
};

}  // namespace heddle::project
