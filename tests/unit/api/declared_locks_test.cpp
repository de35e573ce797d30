// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/declared_locks.h"

#include <gtest/gtest.h>

#include "api/models/model_listing.h"
#include "program/model/program_builder.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

using Kind = LockAnnotation::Kind;

class DeclaredLocks : public ::testing::Test {
 protected:
  FunctionId declare(const std::string& name) {
    return builder_.declare(name, builder_.void_type(), {builder_.ptr_type()});
  }
  void annotate(FunctionId function, Kind kind, std::int32_t argument, bool on_zero = false) {
    rows_.push_back({kind, Operand::function(function), "", "", "l", argument, on_zero});
  }
  std::vector<Model> models() {
    Program program = builder_.take();
    program.annotations = rows_;
    return declared_locks(program);
  }

  ProgramBuilder builder_;
  std::vector<LockAnnotation> rows_;
};

TEST_F(DeclaredLocks, SayWhatTheAttributeSays) {
  annotate(declare("take"), Kind::Acquire, 0);
  annotate(declare("share"), Kind::AcquireShared, 0);
  annotate(declare("give"), Kind::ReleaseGeneric, 0);
  annotate(declare("try_zero"), Kind::TryAcquire, 0, true);
  annotate(declare("try_true"), Kind::TryAcquire, 0);
  std::string text;
  for (const Model& model : models()) {
    EXPECT_TRUE(model.is_declared);
    text += model.name + ": " + describe_model(model).effects + "\n";
  }
  EXPECT_EQ(text,
            "take: acquire 0; result any\nshare: acquire 0, mode = shared; result any\ngive: release 0; result any\n"
            "try_zero: acquire 0, blocking = false, success = zero; result any\n"
            "try_true: acquire 0, blocking = false, success = nonzero; result any\n");
}

TEST_F(DeclaredLocks, NotOfBodiesOfOtherAttributesOrOfLocksWithoutAnArgument) {
  FunctionBuilder& f = builder_.function("body", builder_.void_type(), {builder_.ptr_type()});
  f.ret();
  const FunctionId needs = declare("needs");
  const FunctionId both = declare("both");
  annotate(needs, Kind::Requires, 0);
  annotate(both, Kind::Acquire, 0);
  annotate(both, Kind::Acquire, LockAnnotation::none);
  annotate(declare("beyond"), Kind::Acquire, 7);
  Program program = builder_.take();
  rows_.push_back({Kind::Acquire, Operand::function(program.find_function("body")), "", "", "l", 0, false});
  program.annotations = rows_;
  EXPECT_TRUE(declared_locks(program).empty());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
