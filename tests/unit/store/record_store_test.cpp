// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store/record_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/scratch_source.h"

namespace heddle::store {
namespace HEDDLE_TEST_FILE {

ContentHash key(std::uint64_t number) { return Hasher().add(number).finish(); }

std::string value(std::uint64_t number, std::size_t size = 100) {
  return std::string(size, static_cast<char>('a' + number % 26)) + std::to_string(number);
}

void fill(const std::string& folder, std::uint64_t count) {
  RecordStore store(folder, "maker");
  for (std::uint64_t i = 0; i < count; ++i) store.put(key(i), value(i));
  store.commit();
  EXPECT_EQ(store.notes(), std::vector<std::string>{});
}

/// How many of the records are there, none of them wrong; `note`: what the store should say about itself.
std::uint64_t there(const std::string& folder, std::uint64_t count, const std::string& note = "") {
  RecordStore store(folder, "maker");
  RecordStore::Reader reader(store);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    if (const auto bytes = reader.find(key(i))) {
      ++found;
      EXPECT_EQ(*bytes, value(i));
    }
  if (note.empty()) {
    EXPECT_EQ(store.notes(), std::vector<std::string>{});
  } else {
    EXPECT_EQ(store.notes().size(), 1U);
    if (!store.notes().empty()) EXPECT_NE(store.notes()[0].find(note), std::string::npos) << store.notes()[0];
  }
  return found;
}

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(RecordStore, KeepsRecordsForTheNextRunOnly) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("deep/store");
  {
    RecordStore store(folder, "maker");
    store.put(key(1), value(1));
    RecordStore::Reader reader(store);
    EXPECT_FALSE(reader.find(key(1)).has_value());
  }
  EXPECT_EQ(there(folder, 3), 0U);  // nobody committed
  fill(folder, 3);
  EXPECT_EQ(there(folder, 5), 3U);
  {
    RecordStore store(folder, "maker");
    store.put(key(4), value(4));
    store.commit();
  }
  EXPECT_EQ(there(folder, 5), 4U);
}

TEST(RecordStore, EveryDamageIsNoticedAndTheStoreBegunAnew) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store"), records = folder + "/records";
  fill(folder, 200);
  const std::string whole = read(records);
  ASSERT_GT(whole.size(), 20'000U);
  const auto check = [&] {
    EXPECT_EQ(there(folder, 200, "made again"), 0U);
    write(records, whole);
  };
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 97) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
    write(records, flipped);
    check();
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, whole.size() - 1}) {
    write(records, whole.substr(0, size));
    check();
  }
  write(records, whole + "x");
  check();
  write(records, "not a store at all\n");
  check();
  EXPECT_EQ(there(folder, 200), 200U);
  std::filesystem::remove(records);
  EXPECT_EQ(there(folder, 200), 0U);
}

TEST(RecordStore, IsWholeAgainAfterDamage) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store");
  fill(folder, 50);
  write(folder + "/records", "damaged");
  {
    RecordStore store(folder, "maker");
    EXPECT_EQ(store.notes().size(), 1U);
    for (std::uint64_t i = 0; i < 10; ++i) store.put(key(i), value(i));
    store.commit();
  }
  EXPECT_EQ(there(folder, 50), 10U);
}

TEST(RecordStore, RecordsOfAnotherMakerAreNotRead) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store");
  fill(folder, 5);
  {
    RecordStore store(folder, "another");
    EXPECT_EQ(store.notes().size(), 1U);
    RecordStore::Reader reader(store);
    EXPECT_FALSE(reader.find(key(1)).has_value());
  }
  EXPECT_EQ(there(folder, 5), 5U);  // nothing was put, so nothing was replaced
  {
    RecordStore store(folder, "another");
    store.put(key(9), value(9));
    store.commit();
  }
  EXPECT_EQ(there(folder, 5, "another heddle"), 0U);
}

/// What only a heddle with the user's key could have written.
void write_sealed(const std::string& folder, const std::string& content) {
  ASSERT_TRUE(kept::write_kept(folder + "/records", content));
}

TEST(RecordStore, SealedNonsenseIsNoStore) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store");
  fill(folder, 50);
  const std::string whole = kept::read_kept(folder + "/records").value();
  const std::size_t rows = whole.find("maker\n") + 6;
  for (std::size_t at = rows; at < rows + 400; ++at)
    for (const char byte : {'\0', '\x7f', '\xff'}) {
      std::string crafted = whole;
      crafted[at] = byte;
      write_sealed(folder, crafted);
      RecordStore store(folder, "maker");
      RecordStore::Reader reader(store);
      for (std::uint64_t i = 0; i < 50; ++i)
        if (const auto found = reader.find(key(i))) EXPECT_LE(found->size(), whole.size());
    }
  for (const std::size_t size : {rows, rows + 1, rows + 8, rows + 30, whole.size() - 1}) {
    write_sealed(folder, whole.substr(0, size));
    EXPECT_EQ(there(folder, 50, "is damaged"), 0U) << size;
  }
}

TEST(RecordStore, IsNotReadOrWrittenThroughALink) {
  const frontend::ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path("home"));
  fill(scratch.path("home/store"), 5);
  std::filesystem::create_directory_symlink(scratch.path("home/store"), scratch.path("store"));
  const std::string before = read(scratch.path("home/store/records"));
  RecordStore store(scratch.path("store"), "maker");
  EXPECT_FALSE(RecordStore::Reader(store).find(key(1)).has_value());
  store.put(key(9), value(9));
  store.commit();
  EXPECT_EQ(store.notes().size(), 2U);
  EXPECT_EQ(read(scratch.path("home/store/records")), before);
}

TEST(RecordStore, FolderThatCannotBeMadeIsSaid) {
  const frontend::ScratchFolder scratch;
  write(scratch.path("file"), "");
  RecordStore store(scratch.path("file/store"), "maker");
  store.put(key(1), value(1));
  store.commit();
  ASSERT_EQ(store.notes().size(), 1U);
  EXPECT_NE(store.notes()[0].find("nothing is kept"), std::string::npos);
}

TEST(RecordStore, RunsAtTheSameTimeReadWhatThereWasAndKeepEachOthersRecords) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store");
  fill(folder, 5);
  {
    RecordStore first(folder, "maker"), second(folder, "maker");
    RecordStore::Reader reader(first);
    EXPECT_TRUE(reader.find(key(1)).has_value());
    second.put(key(7), value(7));
    second.commit();
    EXPECT_TRUE(reader.find(key(2)).has_value());
    EXPECT_FALSE(reader.find(key(7)).has_value());
    first.put(key(6), value(6));
    first.commit();  // finds what the second wrote
  }
  EXPECT_EQ(there(folder, 8), 7U);
}

TEST(RecordStore, KeepsNothingWhileAnotherWrites) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store");
  fill(folder, 5);
  const int lock = ::open((folder + "/lock").c_str(), O_RDWR);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  fill(folder, 8);
  EXPECT_EQ(there(folder, 8), 5U);
  ::close(lock);
  fill(folder, 8);
  EXPECT_EQ(there(folder, 8), 8U);
}

TEST(RecordStore, DropsWhatNoRunUsesWhenItGetsTooLarge) {
  const frontend::ScratchFolder scratch;
  const std::string folder = scratch.path("store");
  const RecordStore::Limits small{.idle_bytes = std::uint64_t{1} << 16};
  std::uintmax_t largest = 0;
  for (std::uint64_t run = 0; run < 40; ++run) {
    RecordStore store(folder, "maker", small);
    {
      RecordStore::Reader reader(store);
      // Every run uses record 0 and makes a hundred others.
      if (const auto found = reader.find(key(0)))
        EXPECT_EQ(*found, value(0));
      else
        store.put(key(0), value(0));
      EXPECT_EQ(reader.find(key(0)).has_value(), run != 0);
    }
    for (std::uint64_t i = 1; i <= 100; ++i) store.put(key(run * 1000 + i), value(run * 1000 + i));
    store.commit();
    EXPECT_EQ(store.notes(), std::vector<std::string>{});
    largest = std::max(largest, std::filesystem::file_size(folder + "/records"));
  }
  EXPECT_LT(largest, 400'000U);  // all of them would be more
  EXPECT_EQ(there(folder, 1), 1U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::store
