// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend {

enum class DataModel { Ilp32, Lp64 };

struct Source {
  std::string path;
  std::vector<std::string> flags;  ///< the user's, behind `--`; passed to clang as they are
};

struct Options {
  std::optional<DataModel> data_model;  ///< none: the host's
};

}  // namespace heddle::frontend
