// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/api_models.h"
#include "api/models/model_listing.h"
#include "frontend/scratch_source.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

/// What a program against libc++ leaves unexplained; skips the test where its headers are not installed.
std::vector<std::string> unexplained(std::string_view text) {
  const ScratchFolder folder;
  const auto program = read_sources({{folder.write("unit.cpp", text), {"-std=c++20", "-stdlib=libc++"}}}, {});
  const auto models = api::ApiModels::shipped();
  EXPECT_TRUE(program.has_value() && models.has_value());
  if (!program || !models) return {};
  return api::unexplained_calls(*program, *models);
}

bool has_libcxx() {
  const ScratchFolder folder;
  return read_sources({{folder.write("try.cpp", "#include <__config>\nint main() {}"), {"-stdlib=libc++"}}}, {})
      .has_value();
}

TEST(Libcxx, ThreadsLocksAndConditionsHaveModels) {
  if (!has_libcxx()) GTEST_SKIP() << "libc++-19-dev is not installed";
  EXPECT_EQ(
      unexplained("#include <atomic>\n#include <condition_variable>\n#include <mutex>\n#include <shared_mutex>\n"
                  "#include <thread>\n"
                  "std::mutex m; std::recursive_mutex r; std::timed_mutex t; std::shared_mutex s;\n"
                  "std::condition_variable c; std::atomic<int> a; std::once_flag o; int n;\n"
                  "void body() { std::scoped_lock l(m, r); n++; std::shared_lock h(s); std::lock_guard g(t); a++;\n"
                  "  std::call_once(o, [] { n = 1; }); }\n"
                  "int main() { std::thread x(body); { std::unique_lock l(m); c.wait(l, [] { return n > 0; }); }\n"
                  "  c.notify_all(); if (m.try_lock()) m.unlock(); x.join(); return 0; }"),
      std::vector<std::string>{});
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
