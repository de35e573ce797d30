// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind each function without a body. Native code of library/ comes first: models say what a call does to
// memory and threads, not what it returns. Then the model: if the machine can carry out one of its actions, it does,
// after the reads beside it; if the model says that the call only returns some number, the number is a choice; else the
// function is not supported, and a run that calls it ends.
#pragma once
#include "api/models/api_models.h"
#include "interpret/code/image.h"
#include "interpret/state/library_store.h"

namespace heddle::interpret {

/// A plain read of so many bytes: the machine carries it out before the action of the same model (the time of a timed
/// lock, attributes).
[[nodiscard]] bool reads_fixed_bytes(const api::Effect& effect);

/// Fills image.externals and image.is_closed; functions that return a key of their own get the next free one.
void classify_externals(Image& image, const api::ApiModels& models, LibraryState& library);

}  // namespace heddle::interpret
