// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/inline_asm.h"

#include <gtest/gtest.h>

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(InlineAsm, PortsAndWaitingTouchNoMemory) {
  for (const char* text :
       {"|", "|~{memory}", "outb ${0:b}, ${1:w}|{ax},N{dx},~{dirflag}", "\tinb ${1:w}, ${0:b}\n|={ax},N{dx}",
        "rep; nop|~{memory}", "dsb sy\n\tisb|~{memory}", "mfence|~{memory}", "nop.w|", "fence.i|"})
    EXPECT_TRUE(touches_no_memory(text)) << text;
}

TEST(InlineAsm, EverythingElseMay) {
  for (const char* text :
       {"incl $0|=*m,*m", "inc $0|=*m", "insb|{di}", "outsb|{si}", "rep movsb|{di},{si},{cx}", "rep; movsb|{di}",
        "nop; movl $$1, ($0)|r", "lock; nop|", "rep stosb|", "xchgq ${0:q}, $1|", "in|", "bt $2,$1\n\tsbb $0,$0|=r"})
    EXPECT_EQ(touches_no_memory(text), std::string_view(text) == "in|") << text;
}

/// `out 0x3f` writes the status register of an AVR, with its mask of interrupts.
TEST(InlineAsm, PortsMayBeMasks) {
  for (const char* text : {"out 0x3f, $0|r", "outb ${0:b}, ${1:w}|{ax},N{dx}", "nop; out 0x3f, $0|r", "cli|"})
    EXPECT_FALSE(only_waits_or_reads(text)) << text;
  for (const char* text : {"|", "in $0, 0x3f|=r", "wfi|~{memory}", "dsb sy\n\tisb|~{memory}", "csrr $0, mstatus|=r"})
    EXPECT_TRUE(only_waits_or_reads(text)) << text;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
