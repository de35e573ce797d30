// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/unit_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "program/sample_unit.h"
#include "program/unit/valid_program.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

class UnitFile : public ::testing::Test {
 protected:
  UnitFile() {
    std::filesystem::create_directories(folder_);
    std::ignore = write_unit_file(path(), sample_unit());
    std::ifstream in(path(), std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }
  ~UnitFile() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string path() const { return (folder_ / "a.unit").string(); }
  void put(std::string_view bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
  [[nodiscard]] std::string error() const {
    const auto unit = read_unit_file(path());
    return unit ? "" : unit.error().message;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("heddle_unit_file_" + std::to_string(getpid()) + "_" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string bytes_;
};

TEST_F(UnitFile, GivesBackTheSameProgram) {
  const Program unit = sample_unit();
  const auto again = read_unit_file(path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(print(*again), print(unit));
  EXPECT_EQ(again->functions[again->find_function("f")].hash, unit.functions[unit.find_function("f")].hash);
  EXPECT_EQ(again->units, unit.units);
  EXPECT_EQ(again->layout.triple, unit.layout.triple);
  EXPECT_EQ(encode_unit(*again), encode_unit(unit)) << "what printing does not show is the same too";
  EXPECT_EQ(encode_unit(unit), bytes_);
}

TEST_F(UnitFile, KeepsWhatOnlyALinkerNeeds) {
  Program unit = sample_unit();
  unit.aliases.push_back({"other", Linkage::Weak, Operand::function(unit.find_function("f")), 0});
  unit.missing_bodies.push_back({"lost", "a.h:3:1"});
  unit.unseen.push_back("assembly");
  unit.constructors.push_back(unit.find_function("f"));
  unit.constructor_priorities.push_back(101);
  const auto again = decode_unit(encode_unit(unit));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->aliases.size(), 1u);
  EXPECT_EQ(again->aliases[0].name, "other");
  EXPECT_EQ(again->aliases[0].linkage, Linkage::Weak);
  EXPECT_EQ(again->aliases[0].target, Operand::function(again->find_function("f")));
  ASSERT_EQ(again->missing_bodies.size(), 1u);
  EXPECT_EQ(again->missing_bodies[0].place, "a.h:3:1");
  EXPECT_EQ(again->unseen, std::vector<std::string_view>{"assembly"});
  EXPECT_EQ(again->constructor_priorities, std::vector<std::uint32_t>{101});
}

TEST_F(UnitFile, KeepsHandlersAndSections) {
  Program unit = sample_unit();
  unit.functions[unit.find_function("f")].interrupt = "signal";
  ASSERT_GT(unit.globals.size(), 0u);
  unit.globals[GlobalId(0)].section = ".isr_vector";
  const auto again = decode_unit(encode_unit(unit));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->functions[again->find_function("f")].interrupt, "signal");
  EXPECT_EQ(again->globals[GlobalId(0)].section, ".isr_vector");
  EXPECT_EQ(print(*again), print(unit));
  EXPECT_NE(print(unit), print(sample_unit())) << "people see both";
}

TEST_F(UnitFile, SurvivesItsBytesAndAMove) {
  Program moved;
  {
    std::string bytes = bytes_;
    auto unit = decode_unit(bytes);
    ASSERT_TRUE(unit);
    std::ranges::fill(bytes, '?');
    moved = std::move(*unit);
  }
  EXPECT_EQ(print(moved), print(sample_unit()));
}

TEST_F(UnitFile, SaysWhatIsWrong) {
  std::filesystem::remove(path());
  EXPECT_EQ(error(), path() + ": cannot be read: No such file or directory");
  put("");
  EXPECT_EQ(error(), path() + ": error: the unit file is empty");
  put("int main(void) { return 0; } /* and some more text, so that it is longer than a header */");
  EXPECT_EQ(error(), path() + ": error: is not a unit file of heddle");
  put(std::string_view(bytes_).substr(0, bytes_.size() - 1));
  EXPECT_EQ(error(), path() + ": error: the unit file is cut short");
  put(bytes_ + "x");
  EXPECT_EQ(error(), path() + ": error: the unit file is damaged");
  std::string older = bytes_;
  older[12] = static_cast<char>(older[12] - 1);  // the version stands behind the magic word
  put(older);
  EXPECT_EQ(error(), path() + ": error: the unit file was written by another version of heddle");
}

TEST_F(UnitFile, CannotBeReadWhenItIsCutShort) {
  for (std::size_t part = 0; part < 50; ++part)
    EXPECT_FALSE(decode_unit(std::string_view(bytes_).substr(0, bytes_.size() * part / 50))) << part;
}

TEST_F(UnitFile, NoticesEveryFlippedBit) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = bytes_;
    const std::size_t bit = random() % (damaged.size() * 8);
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(decode_unit(damaged)) << "bit " << bit;
  }
}

TEST_F(UnitFile, OfAnotherKeyIsNotRead) {
  constexpr std::size_t name_of_key = 32;
  std::string foreign = bytes_;
  foreign[name_of_key] = static_cast<char>(foreign[name_of_key] ^ 1);
  put(foreign);
  EXPECT_EQ(error(), path() + ": error: the unit file was not made by you, so it is not believed");
  EXPECT_FALSE(unit_file_identity(path()));
}

// What a seal cannot catch: the file was written like this.
TEST_F(UnitFile, WithARightSealIsAValidProgramOrAnError) {
  std::mt19937 random(2);
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string hostile = bytes_;
    for (std::size_t flips = 1 + random() % 3; flips > 0; --flips) {
      constexpr std::size_t header = 56;
      const std::size_t at = header + random() % (hostile.size() - header);
      hostile[at] = static_cast<char>(random());
    }
    const auto unit = decode_unit(seal_unit(std::move(hostile)));
    if (!unit) continue;
    ++read;
    EXPECT_TRUE(check_program(*unit));
    EXPECT_FALSE(print(*unit).empty());
  }
  EXPECT_GT(read, 0) << "or the test does not get past the header";
}

TEST_F(UnitFile, IsNotLeftHalfWritten) {
  const std::string nowhere = (folder_ / "none" / "a.unit").string();
  EXPECT_FALSE(write_unit_file(nowhere, sample_unit()));
  std::filesystem::create_directories(folder_ / "taken.unit");
  EXPECT_FALSE(write_unit_file((folder_ / "taken.unit").string(), sample_unit()));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2u) << "the temporary file is gone";
}

TEST_F(UnitFile, OfALargeMostlyEmptyImageIsRead) {
  ProgramBuilder b;
  const Operand big = b.global("big", b.array_type(b.int_type(8), 1 << 22));
  b.set_bytes(big, std::string(1 << 22, '\1'));
  const Program unit = b.take();
  const auto again = decode_unit(encode_unit(unit));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->globals[GlobalId(0)].bytes.size(), std::size_t{1} << 22);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
