// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/separation.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::race {
namespace HEDDLE_TEST_FILE {

TEST(Separation, EveryReasonHasAWordAndASentenceOfItsOwn) {
  std::set<std::string_view> words, sentences;
  for (const SeparationReason reason : all_separation_reasons) {
    words.insert(to_text(reason));
    sentences.insert(to_sentence(reason));
  }
  EXPECT_EQ(words.size(), all_separation_reasons.size());
  EXPECT_EQ(sentences.size(), all_separation_reasons.size());
  EXPECT_EQ(static_cast<std::size_t>(all_separation_reasons.back()) + 1, all_separation_reasons.size());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::race
