// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocators: functions of the program that make memory for their callers, or end it. Nearly every C project has some,
// and unification makes everything that goes through one of them one object; so each call of them has its own.
//
//   void *xmalloc(size_t n) { void *p = malloc(n); if (!p) die("no memory"); return p; }     makes
//   void *xrealloc(void *q, size_t n) { … realloc(q, n) … }                                  makes, of parameter 0
//   struct job *new_job(int kind) { struct job *j = xmalloc(sizeof *j); … j->next = head; … return j; }
//                                                                                            makes, and fills
//   void xfree(void *p) { if (p) free(p); }                                                  its parameter is passive
//
// `makes`: every result is null, or memory that the call itself made and of which nothing but the result knows when it
// returns. What the function does with it before that, it does alone. `fills`: pointers are put into it, or read from
// there. A *passive* parameter is only compared, and handed to library functions that read or end what it leads to, or
// to passive parameters: so nobody gets to know it there, and only calls access memory through it.
//
// Sound. Each answer is found from those of other functions, from "no" on, until nothing changes; a function that is
// not understood is none. Cost: one look at each function that returns or is given a pointer, and again for those whose
// callees turned out to be allocators.
#pragma once
#include <cstdint>
#include <vector>

#include "api/action.h"
#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::alias {

struct Allocator {
  bool makes = false;
  bool fills = false;                        ///< only if it makes
  api::Argument moved = api::Effect::none;   ///< the memory may be what this parameter led to, moved
  std::vector<bool> passive;                 ///< by parameter; empty: none is
  [[nodiscard]] bool is_passive(std::size_t parameter) const {
    return parameter < passive.size() && passive[parameter];
  }
  friend bool operator==(const Allocator&, const Allocator&) = default;
};

/// By FunctionId. `models`: by FunctionId too, null if there is none.
[[nodiscard]] std::vector<Allocator> find_allocators(const Program& program,
                                                     const std::vector<const api::Model*>& models);

}  // namespace heddle::alias
