// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "flow/cfg.h"
#include "program/model/program_builder.h"

namespace heddle::flow {
namespace HEDDLE_TEST_FILE {

TEST(Cfg, ALoopHasItsHeadAndItsLiveValues) {
  ProgramBuilder p;
  const TypeId i32 = p.int_type(32);
  FunctionBuilder& f = p.function("f", i32, {i32});
  const BlockId entry = f.current();
  const BlockId head = f.block();
  const BlockId body = f.block();
  const BlockId end = f.block();
  const BlockId nowhere = f.block();
  f.br(head);
  f.enter(head);
  const Operand i = f.phi(i32, {{p.int_constant(i32, 0), entry}});
  f.cond_br(f.compare(Predicate::Slt, i, f.param(0)), body, end);
  f.enter(body);
  const Operand next = f.binary(BinaryOp::Add, i, p.int_constant(i32, 1));
  f.add_incoming(i, next, body);
  f.br(head);
  f.enter(end);
  f.ret(i);
  f.enter(nowhere);
  f.ret(f.param(0));
  const FunctionId id = f.id();
  const Program program = p.take();
  const Cfg cfg = build_cfg(program.functions[id]);

  EXPECT_EQ(cfg.order.size(), 4U);
  EXPECT_EQ(cfg.order.front(), entry);
  EXPECT_EQ(cfg.rank[nowhere.index()], Cfg::none_rank);
  EXPECT_TRUE(cfg.is_loop_head[head.index()]);
  EXPECT_FALSE(cfg.is_loop_head[body.index()]);
  EXPECT_FALSE(cfg.is_loop_head[end.index()]);
  EXPECT_EQ(cfg.successors[head.index()], (std::vector<BlockId>{body, end}));
  EXPECT_EQ(cfg.predecessors[head.index()].size(), 2U);
  EXPECT_TRUE(cfg.is_live_in(body, i.as_value()));
  EXPECT_TRUE(cfg.is_live_in(body, ValueId(0))) << "the bound is wanted in the next round";
  EXPECT_FALSE(cfg.is_live_in(end, ValueId(0)));
  EXPECT_TRUE(cfg.is_live_in(end, i.as_value()));
  EXPECT_FALSE(cfg.is_live_in(body, next.as_value()));
}

TEST(Cfg, LivenessIsAsLargeAsWhatIsLive) {
  ProgramBuilder p;
  const TypeId i32 = p.int_type(32);
  FunctionBuilder& f = p.function("f", i32, {i32, i32});
  constexpr int blocks = 200;
  for (int k = 0; k < blocks; ++k) {
    const Operand here = f.binary(BinaryOp::Add, f.param(0), p.int_constant(i32, k));
    const BlockId yes = f.block(), next = f.block();
    f.cond_br(f.compare(Predicate::Slt, here, f.param(0)), yes, next);
    f.enter(yes);
    f.br(next);
    f.enter(next);
  }
  f.ret(f.param(0));
  const FunctionId id = f.id();
  const Program program = p.take();
  const Cfg cfg = build_cfg(program.functions[id]);
  for (const std::vector<std::uint32_t>& live : cfg.live_in)
    EXPECT_EQ(live, std::vector<std::uint32_t>{0}) << "one parameter is wanted to the end; the sums live in one block";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::flow
