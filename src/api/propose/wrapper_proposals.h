// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of a program look like locks, as models that can be pasted into a heddle.toml:
//
//   # 'qemu_mutex_lock_impl' looks like a lock of its argument 0 (12 call sites; util/qemu-thread-posix.c:88:6)
//   [[wrapper]]
//   name = "qemu_mutex_lock_impl"
//   effects = [{ acquire = 0 }]
//
// Two reasons to propose one: its body takes or gives back one lock on every path (net_locks.h); or it has neither a
// body nor a model, and some function calls it and another one of the fitting name, `x_lock` and `x_unlock`, with the
// same argument. Most called first. Proposals are guesses: people decide.
#pragma once
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::api {

struct WrapperProposal {
  Model model;
  std::string reason;  ///< one line
  std::size_t call_sites = 0;
};

/// The `most` best ones; none that a model already describes, none of system headers.
[[nodiscard]] std::vector<WrapperProposal> propose_wrappers(const Program& program, const ApiModels& models,
                                                            std::size_t most = 40);

/// As TOML, with the reasons as comments.
[[nodiscard]] std::string to_toml(const std::vector<WrapperProposal>& proposals);

}  // namespace heddle::api
