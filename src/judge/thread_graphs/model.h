// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model, and what is claimed of it, stand beside the checker of the proofs, which knows no judge.
#pragma once
#include "proof/transaction/annotation.h"

namespace heddle::judge::transaction {

using proof::transaction::Act;
using proof::transaction::Annotation;
using proof::transaction::Assign;
using proof::transaction::Constraint;
using proof::transaction::Edge;
using proof::transaction::EdgeName;
using proof::transaction::Forget;
using proof::transaction::Give;
using proof::transaction::Guard;
using proof::transaction::Hold;
using proof::transaction::Interval;
using proof::transaction::Join;
using proof::transaction::LinearForm;
using proof::transaction::LocalState;
using proof::transaction::LockIndex;
using proof::transaction::Model;
using proof::transaction::Node;
using proof::transaction::Place;
using proof::transaction::PlacePair;
using proof::transaction::Point;
using proof::transaction::PointIndex;
using proof::transaction::SharedVariable;
using proof::transaction::Start;
using proof::transaction::Take;
using proof::transaction::Thread;
using proof::transaction::ThreadIndex;
using proof::transaction::VariableIndex;
using proof::transaction::Visit;

/// While a model grows, a thread's own values have numbers from here on, so that shared variables can be added.
inline constexpr VariableIndex first_local = 0x80000000;

}  // namespace heddle::judge::transaction
