// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/kept/kept_file.h"

#include <sys/stat.h>

#include <thread>

#include "base/kept/mac.h"
#include "base/kept/user_key.h"
#include "base/read_file.h"
#include "frontend/scratch_source.h"

namespace heddle::kept {
namespace HEDDLE_TEST_FILE {

namespace fs = std::filesystem;
using frontend::ScratchFolder;

NotKept::Kind trouble(const Place& place) {
  const auto found = read_kept(place);
  EXPECT_FALSE(found.has_value());
  return found ? NotKept::Kind::Missing : found.error().kind;
}

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Mac, IsSipHash) {
  const MacKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};  // that of the authors' test vectors
  EXPECT_EQ(Mac(key).finish(), (ContentHash{0xe6a825ba047f81a3, 0x930255c71472f66d}));
}

TEST(Mac, TellsKeysTextsAndTheirBoundsApart) {
  const MacKey key{1, 2};
  const ContentHash ab_c = Mac(key).add("ab").add("c").finish();
  EXPECT_EQ(Mac(key).add("ab").add("c").finish(), ab_c);
  EXPECT_NE(Mac(key).add("a").add("bc").finish(), ab_c);
  EXPECT_NE(Mac({1, 3}).add("ab").add("c").finish(), ab_c);
  EXPECT_NE(Mac(key).add("ab").add(std::string_view("c\0", 2)).finish(), ab_c);
  EXPECT_NE(Mac(key).add(std::string(8, 'x')).finish(), Mac(key).add(std::string(16, 'x')).finish());
}

TEST(UserKey, IsMadeOnceForTheUserAlone) {
  const ScratchFolder folder;
  const std::string file = folder.path("state/heddle/key");
  const UserKey made = load_user_key(file, false), again = load_user_key(file, false);
  EXPECT_EQ(made.trouble, "");
  EXPECT_EQ(made.name, again.name);
  EXPECT_EQ(made.key.first, again.key.first);
  struct stat found{};
  ASSERT_EQ(::stat(file.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
  EXPECT_EQ(entries(folder.path("state/heddle")), 1U);
  EXPECT_NE(load_user_key(folder.path("other"), true).name, made.name);
}

TEST(UserKey, OfManyThatMakeItAtOnceIsOne) {
  const ScratchFolder folder;
  for (int round = 0; round < 20; ++round) {
    const std::string file = folder.path("key" + std::to_string(round));
    std::vector<UserKey> keys(8);
    {
      std::vector<std::jthread> threads;
      for (UserKey& key : keys) threads.emplace_back([&] { key = load_user_key(file, false); });
    }
    for (const UserKey& key : keys) EXPECT_EQ(key.name + key.trouble.size(), keys.front().name);
  }
}

TEST(UserKey, ThatCannotBeKeptIsForOneProcess) {
  const ScratchFolder folder;
  folder.write("file", "in the way");
  const UserKey first = load_user_key(folder.path("file/key"), false);
  EXPECT_NE(first.trouble, "");
  EXPECT_NE(load_user_key(folder.path("file/key"), false).name, first.name);
  folder.write("odd", "not a key\n");
  fs::permissions(folder.path("odd"), fs::perms::owner_read);
  EXPECT_TRUE(load_user_key(folder.path("odd"), false).trouble.contains("holds no key"));
  EXPECT_EQ(load_user_key(folder.path("shared"), true).trouble, "");
  fs::permissions(folder.path("shared"), fs::perms::owner_all | fs::perms::others_read);
  EXPECT_EQ(load_user_key(folder.path("shared"), true).trouble, "") << "the user named it";
  EXPECT_TRUE(load_user_key(folder.path("shared"), false).trouble.contains("others may read"));
}

TEST(KeptFile, ComesBackAsItWas) {
  const ScratchFolder folder;
  const Place place{folder.path(".heddle"), "units/a.json"};
  ASSERT_TRUE(make_folders(place));
  for (const std::string& text :
       {std::string(), std::string("{}\n"), std::string("a\0b", 3), std::string(100'000, 'x')}) {
    ASSERT_TRUE(write_kept(place, text));
    EXPECT_EQ(read_kept(place), text);
  }
  EXPECT_EQ(entries(folder.path(".heddle/units")), 1U) << "the temporary files are gone";
  EXPECT_EQ(trouble({folder.path(".heddle"), "units/b.json"}), NotKept::Kind::Missing);
  EXPECT_EQ(trouble({folder.path("none"), "units/b.json"}), NotKept::Kind::Missing);
}

TEST(KeptFile, IsBelievedUnderItsNameWithItsSealOnly) {
  const ScratchFolder folder;
  const Place place{folder.path(""), "a"};
  ASSERT_TRUE(write_kept(place, "content"));
  const std::string whole = read_file(place.path()).value_or("");
  for (std::size_t i = 0; i < whole.size() * 8; ++i) {
    std::string damaged = whole;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ 1 << i % 8);
    folder.write("a", damaged);
    EXPECT_FALSE(read_kept(place).has_value()) << i;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder.write("a", whole.substr(0, size));
    EXPECT_FALSE(read_kept(place).has_value()) << size;
  }
  folder.write("b", whole);
  EXPECT_EQ(trouble({folder.path(""), "b"}), NotKept::Kind::Damaged);
  folder.write("a", "content");
  EXPECT_EQ(trouble(place), NotKept::Kind::Foreign);
  std::string other_key = whole;
  other_key[whole.find("seal 1 ") + 7] ^= 1;
  folder.write("a", other_key);
  EXPECT_EQ(trouble(place), NotKept::Kind::Foreign);
}

TEST(KeptFile, IsNeitherReadNorWrittenThroughLinks) {
  const ScratchFolder folder;
  const Place place{folder.path(".heddle"), "units/a"};
  ASSERT_TRUE(make_folders(place) && write_kept(place, "mine"));
  fs::create_directory_symlink(folder.path(".heddle"), folder.path("link"));
  EXPECT_FALSE(read_kept({folder.path("link"), "units/a"}));
  EXPECT_FALSE(read_kept({folder.path("link/"), "units/a"})) << "a slash behind it changes nothing";
  EXPECT_FALSE(write_kept({folder.path("link"), "units/a"}, "other"));
  fs::create_directory_symlink(folder.path(".heddle/units"), folder.path(".heddle/linked"));
  EXPECT_FALSE(read_kept({folder.path(".heddle"), "linked/a"}));
  EXPECT_FALSE(write_kept({folder.path(".heddle"), "linked/a"}, "other"));
  EXPECT_FALSE(make_folders({folder.path(".heddle"), "linked/a"}));
  folder.write("victim", "of the user");
  fs::create_symlink(folder.path("victim"), folder.path(".heddle/lock"));
  EXPECT_FALSE(open_lock({folder.path(".heddle"), "lock"}));
  fs::create_symlink("a", folder.path(".heddle/units/b"));
  EXPECT_FALSE(read_kept({folder.path(".heddle"), "units/b"}));
  fs::create_symlink(folder.path("victim"), folder.path(".heddle/units/c"));
  EXPECT_TRUE(write_kept({folder.path(".heddle"), "units/c"}, "takes the link's place"));
  EXPECT_EQ(read_file(folder.path("victim")), "of the user");
  EXPECT_EQ(read_kept(place), "mine");
}

TEST(KeptFile, IsNotWaitedFor) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(trouble({folder.path(""), "fifo"}), NotKept::Kind::Damaged);
  EXPECT_EQ(trouble({"/dev", "zero"}), NotKept::Kind::Damaged);
  EXPECT_EQ(trouble({folder.path(""), "."}), NotKept::Kind::Damaged);
}

TEST(KeptFile, LeftoversAreRemovedWhenTheyAreOldAndOurs) {
  const ScratchFolder folder;
  ASSERT_TRUE(make_folders({folder.path(".heddle"), "units/x"}));
  const auto age = [&](const std::string& name) {
    fs::last_write_time(folder.write(name, "half"), fs::file_time_type::clock::now() - std::chrono::hours(1));
  };
  age(".heddle/units/a.unit.ab12cd.tmp");
  age(".heddle/project.json.XyZ123.tmp");
  age(".heddle/units/notes.tmp");
  age(".heddle/units/a.ab-2cd.tmp");
  folder.write(".heddle/units/b.unit.ab12cd.tmp", "just begun");
  remove_leftovers(folder.path(".heddle"));
  EXPECT_FALSE(fs::exists(folder.path(".heddle/units/a.unit.ab12cd.tmp")));
  EXPECT_FALSE(fs::exists(folder.path(".heddle/project.json.XyZ123.tmp")));
  EXPECT_EQ(entries(folder.path(".heddle/units")), 3U);
}

TEST(KeptFile, EverythingIsWhatHeddleWrote) {
  const ScratchFolder folder;
  ASSERT_TRUE(make_folders({folder.path(".heddle"), "units/x"}) &&
              make_folders({folder.path(".heddle"), "summaries/x"}));
  for (const char* name : {"project.json", "units/a.unit", "units/a.files", "summaries/records", "mine", "units/mine"})
    folder.write(std::string(".heddle/") + name, "x");
  fs::create_directory_symlink(folder.path(".heddle/units"), folder.path(".heddle/linked"));
  folder.write(".heddle/units/b.unit", "x");
  remove_everything(folder.path(".heddle"));
  EXPECT_EQ(entries(folder.path(".heddle")), 4U);  // mine, units, summaries, linked
  EXPECT_EQ(entries(folder.path(".heddle/units")), 1U);
  EXPECT_EQ(entries(folder.path(".heddle/summaries")), 0U);
}

TEST(ReadFile, RefusesWhatIsNoFileWithAWord) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder.path("fifo")).error().message, "is a FIFO, not a file");
  EXPECT_EQ(read_file(folder.path("")).error().message, "is a folder, not a file");
  EXPECT_EQ(read_file("/dev/zero").error().message, "is a device, not a file");
  EXPECT_EQ(read_given_file(folder.path("fifo")).error().message, "is a FIFO, not a file");
  EXPECT_EQ(read_given_file("/dev/zero").error().message, "is a device, not a file");
  EXPECT_EQ(read_file(folder.path("none")).error().message, "cannot be read: No such file or directory");
  EXPECT_EQ(read_file("/dev/null"), "");
  EXPECT_EQ(read_file(folder.write("a", "12345")), "12345");
  EXPECT_EQ(read_file(folder.path("a"), 4).error().message, "is too large to be read");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "piped", 5), 5);
  ::close(ends[1]);
  EXPECT_FALSE(read_file("/dev/fd/" + std::to_string(ends[0])));
  EXPECT_EQ(read_given_file("/dev/fd/" + std::to_string(ends[0])), "piped");
  ::close(ends[0]);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::kept
