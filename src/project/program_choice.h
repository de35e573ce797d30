// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/link_steps.h"
#include "project/project_file.h"

namespace heddle::project {

/// Units of a project that are linked together.
struct UnitSelection {
  std::string name;                ///< of the program; empty: everything
  std::vector<std::size_t> units;  ///< rows of the project file, in the order they are linked
  std::vector<bool> is_member;     ///< of an archive, one per unit: it counts only if something needs it
  std::vector<std::string> gaps;   ///< parts of the program that were not captured
};

/// A unit that defines main.
struct MainUnit {
  std::size_t unit = 0;  ///< row of the project file
  std::string name;      ///< of its source, from the root of the project
};

/// The programs of a project: what its build linked, or its units with a main.
class ProgramChoice {
 public:
  /// `root`: absolute; programs are named from there.
  ProgramChoice(const ProjectFile& project, const std::vector<build::LinkStep>& links, std::string root);

  [[nodiscard]] UnitSelection everything() const;
  /// The program the build linked under this name. None: it linked no such program. An error: it linked several.
  [[nodiscard]] std::optional<Result<UnitSelection>> by_link(const std::string& name) const;
  /// The link of that program; of an empty name the only one that has units.
  [[nodiscard]] Result<const build::LinkStep*> step_called(const std::string& name) const;
  /// All units but those in `mains` that have another name. `twins`: units that come of one source and define the same
  /// symbols; of these the program has one.
  [[nodiscard]] Result<UnitSelection> by_main(const std::string& name, const std::vector<MainUnit>& mains,
                                              const std::vector<std::vector<std::size_t>>& twins) const;
  /// What can be chosen: the programs that the build linked, and units with a main that are in none of them.
  [[nodiscard]] std::vector<std::string> names(const std::vector<MainUnit>& mains) const;

 private:
  [[nodiscard]] bool is_meant(const std::string& path, const std::string& name) const;
  [[nodiscard]] Result<const MainUnit*> main_called(const std::string& name, const std::vector<MainUnit>& mains) const;
  [[nodiscard]] std::size_t nearest(std::size_t main, const std::vector<std::size_t>& twins) const;
  [[nodiscard]] std::string short_name(const std::string& path) const;
  [[nodiscard]] UnitSelection selection_of(const build::LinkStep& step) const;
  const ProjectFile& project_;
  const std::vector<build::LinkStep>& links_;
  std::string root_;
  std::map<std::string, std::size_t> unit_of_object_;
  std::map<std::string, const UnitFailure*> failure_of_object_;
};

}  // namespace heddle::project
