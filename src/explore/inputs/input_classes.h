// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that stand for all that an input can be. A number that a program only compares with constants makes it do the
// same for every value between two of them; one that is used otherwise, but only where tests have left a few values,
// can be tried with each of these.
//
//   int n = nondet(); if (n > 41) f();                      one below 42, one above
//   int i = nondet(); assume(0 <= i && i < 10); a[i]++;     0 to 9, and one on each side, which ends at the assumption
//   int n = nondet(); for (i = 0; i < n; i++) f();          none: its value counts wherever it is positive
//
// How it is found. The constants that the number is compared with cut all its values into *classes*. For one value of
// each class its function is followed as a compiler's constant propagation does, with the number known and everything
// else not: comparisons with it decide branches. A *use* is whatever is neither a comparison with a constant nor a cast
// that keeps the number. A class that comes to no use is represented by any of its values: its members differ nowhere.
// Of a class that comes to one all values are taken. Functions that get the number are followed too; one that does not
// return with what it was given (`if (!condition) abort();`) ends the way there.
//
// The number means the result of the latest call. A value that depends on it gets past the next call of the same place
// only through a phi that the call does not dominate; there the number counts as used and what comes out is not known.
#pragma once
#include "api/models/api_models.h"
#include "interpret/state/machine_options.h"
#include "program/model/program.h"

namespace heddle::explore {

/// Of calls of functions without a body that return a number. Calls are missing that have no such values, or too many,
/// or whose result is not compared at all.
interpret::InputValues input_classes(const Program& program, const api::ApiModels& models);

}  // namespace heddle::explore
