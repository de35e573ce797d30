// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <clang/Driver/Options.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>

#include <set>

#include "frontend/clang/clang_command.h"

namespace heddle::frontend {

std::vector<std::string> known_to_clang(const std::vector<std::string>& arguments, std::vector<std::string>& dropped) {
  std::vector<const char*> raw;
  for (std::size_t i = 1; i < arguments.size(); ++i) raw.push_back(arguments[i].c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  namespace options = clang::driver::options;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      raw, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
  std::set<std::size_t> refused;
  for (const llvm::opt::Arg* argument : parsed) {
    const llvm::opt::Option& option = argument->getOption();
    if (option.matches(options::OPT_UNKNOWN) || option.hasFlag(options::Unsupported))
      refused.insert(argument->getIndex() + 1);
  }
  if (missing_count != 0) refused.insert(missing_index + 1);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) (refused.contains(i) ? dropped : kept).push_back(arguments[i]);
  return kept;
}

}  // namespace heddle::frontend
