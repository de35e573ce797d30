// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/demangle.h"

#include <gtest/gtest.h>

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(Demangle, OnlyWhatIsASymbolOfCxx) {
  EXPECT_EQ(with_demangled_symbols("a call of '_ZN4Pool3putEi', of which nothing is known"),
            "a call of 'Pool::put(int)', of which nothing is known");
  EXPECT_EQ(with_demangled_symbols("_Znwm"), "operator new(unsigned long)");
  for (const char* text : {"", "longjmp", "_Z", "_Zebra crossing", "x_ZN4Pool3putEi", "p->_Zap"})
    EXPECT_EQ(with_demangled_symbols(text), text);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
