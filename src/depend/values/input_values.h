// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values an input has to take so that every run that some value leads to is seen: of the result of an undefined
// function, of a read of a device register.
//
//   n = get(); if (n > 5) …             0, 4, 5, 6, … and the ends of the range: one of each class that a branch tells
//   if (REG & 6) …                      0, 2, 4, 6: all that the bits can be, if nothing else of it is looked at
//   if (get() % 10 == 3) …              ten in a row of each class: all that can be left, and whatever is made of that
//   y = get(); send(y);                 one: it decides nothing
//   a[get()] = 1;                       some: `is_complete` says that others may lead elsewhere (8 bits: all 256)
//
// The value is followed forwards over copies: extensions, variables, parameters and results, until it is compared with
// a constant. As a function of the input such a comparison changes only at the constant, behind it, and where the signs
// change; of each stretch between two such places the first value is taken.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "depend/values/relevance.h"

namespace heddle::depend {

class InputValues {
 public:
  struct Values {
    std::vector<std::uint64_t> all;  ///< at least one
    bool is_complete = true;         ///< no other value leads to another run
    bool matters = true;             ///< false: any value does
  };

  InputValues(const Program& program, const CallGraph& calls, const SharedAccesses& accesses,
              const Relevance& relevance)
      : program_(program), calls_(calls), accesses_(accesses), relevance_(relevance) {}

  /// Of the result of an instruction, an integer of so many bits.
  const Values& of(FunctionId function, std::size_t instruction, std::uint32_t bits);

 private:
  struct Found {
    std::set<std::uint64_t> cuts;  ///< constants of comparisons
    std::uint64_t tested = 0;      ///< bits that are looked at alone
    std::uint64_t modulus = 1;     ///< what is left when divided by it decides
    bool is_complete = true;
  };
  using Value = std::pair<FunctionId, ValueId>;

  Values find(FunctionId function, std::size_t instruction, std::uint32_t bits);
  void look_at_use(FunctionId function, ValueId value, std::size_t user);
  void look_at_comparison(FunctionId function, ValueId value, std::size_t user);
  void look_at_remainder(FunctionId function, std::size_t user, std::int64_t by);
  void look_at_bits(FunctionId function, std::size_t user, std::uint64_t bits);
  void look_at_store(FunctionId function, ValueId value, std::size_t user);
  void look_at_call(FunctionId function, ValueId value, std::size_t user);
  [[nodiscard]] bool is_lock(FunctionId function, ValueId value, std::size_t user) const;
  void follow(FunctionId function, std::size_t instruction);
  [[nodiscard]] bool result_matters(FunctionId function, std::size_t instruction) const;
  const std::vector<std::size_t>& users(FunctionId function, ValueId value);

  const Program& program_;
  const CallGraph& calls_;
  const SharedAccesses& accesses_;
  const Relevance& relevance_;
  std::map<std::pair<FunctionId, std::size_t>, Values> known_;
  std::map<FunctionId, std::vector<std::vector<std::size_t>>> users_;
  Found found_;
  std::set<Value> seen_;
  std::vector<Value> todo_;
};

}  // namespace heddle::depend
