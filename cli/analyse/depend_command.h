// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"
#include "pipeline/depend/depend_trees.h"

namespace heddle::cli {

/// `heddle depend [FILE…]`: accesses of one run of a task or interrupt that straddle one of an interruption; with
/// `--entries` who runs, and who can interrupt whom; with `--root` what a variable depends on, and the risks in that.
class DependCommand : public Command {
 public:
  explicit DependCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  void declare_trees();
  /// Empty: the options fit together.
  [[nodiscard]] std::string contradiction() const;
  ExitCode list_entries(const pipeline::Input& input, const pipeline::DependOptions& options);
  ExitCode list_triples(const pipeline::Input& input, const pipeline::DependOptions& options);
  ExitCode show_trees(const pipeline::Input& input, const pipeline::DependOptions& options);

  InputArguments input_;
  std::vector<std::string> profiles_;
  std::string oil_;
  std::string format_ = "text";
  bool lists_entries_ = false;
  bool lists_all_ = false;
  bool settles_ = false, leaves_open_ = false;
  std::uint64_t steps_ = depend::SettleLimits{}.steps;
  std::uint32_t timeout_ = 0;  ///< 0: as each has it
  std::string kept_;
  bool ignores_synchronisation_ = false;
  pipeline::TreeOptions trees_;
  std::string page_;
  std::string color_ = "auto";
};

}  // namespace heddle::cli
