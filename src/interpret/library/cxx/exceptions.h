// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ exceptions by the Itanium rules: first look whether anybody catches, then unwind through clean-ups to the
// handler. A catch clause matches the thrown type itself or a base class. Clean-ups are landing pads that end in
// `resume`, which goes on unwinding from there.
//
//   f: invoke g unwind pad        g throws std::out_of_range
//   pad: catch std::exception     matches, since out_of_range has it as a base: g's frame is gone, f goes on at pad
#pragma once
#include "interpret/core/native_call.h"

namespace heddle::interpret {

void throw_exception(Core& core, Thread& thread, const CaughtException& exception);
/// An exception of one of the library's classes, by its mangled name; the call stays.
void throw_library(NativeCall& call, std::string_view name, const std::string& message);
/// Goes on with the exception that is under way: leaves frames until one has a landing pad for it.
void unwind(Core& core, Thread& thread);
/// What a landing pad gets: the address of the object, and the number of the clause that matches.
void landing_pad(Core& core, const Thread& thread, const Code& code, Slot* to);

}  // namespace heddle::interpret
