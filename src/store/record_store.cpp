// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store/record_store.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/machine/failure_words.h"
#include "base/write_file.h"

namespace heddle::store {
namespace {

constexpr std::string_view any_form = "heddle records", form = "heddle records 1";
constexpr std::string_view whole = "whole", writing = "writing";

/// In LMDB's order keys are as they are in ours.
struct RawKey {
  explicit RawKey(const ContentHash& key) : words{std::byteswap(key.high), std::byteswap(key.low)} {}
  std::uint64_t words[2];
  MDB_val value() { return {sizeof words, words}; }
};

/// Of a file; none if it cannot be read. Four hashes side by side: the whole store is read by every run.
std::optional<std::pair<std::uint64_t, ContentHash>> checksum_of(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct stat status{};
  const bool is_file = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const std::size_t size = is_file ? static_cast<std::size_t>(status.st_size) : 0;
  if (!is_file || size == 0) {
    ::close(fd);
    return is_file ? std::optional(std::pair(std::uint64_t{0}, Hasher().finish())) : std::nullopt;
  }
  // Read, not mapped: who truncates the file meanwhile cannot harm us.
  std::uint64_t lanes[4] = {1, 2, 3, 4};
  std::uint64_t total = 0;
  std::vector<std::uint64_t> buffer(std::size_t{1} << 17);
  bool failed = false;
  while (true) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size() * sizeof buffer[0]);
    if (got < 0 && errno == EINTR) continue;
    failed = got < 0;
    if (got <= 0) break;
    const auto bytes = static_cast<std::size_t>(got);
    const std::size_t words = (bytes + 7) / 8;
    std::memset(reinterpret_cast<char*>(buffer.data()) + bytes, 0, words * 8 - bytes);
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t& lane = lanes[i % 4];
      lane = (lane ^ buffer[i]) * 0x9fb21c651e98df25ULL;
      lane ^= std::rotl(lane, 29);
      lane += total + i;
    }
    total += bytes;
  }
  ::close(fd);
  if (failed) return std::nullopt;
  Hasher hash;
  for (const std::uint64_t lane : lanes) hash.add(lane);
  return std::pair(total, hash.add(total).finish());
}

}  // namespace

RecordStore::RecordStore(std::string folder, std::string maker, const Limits& limits)
    : folder_(std::move(folder)), maker_(std::move(maker)), limits_(limits) {
  if (!lock_folder()) return;
  seal_ = read_seal();
  std::error_code unknown;
  if (seal_.state == Seal::State::None && !std::filesystem::exists(path("records"), unknown)) return;
  if (seal_.state == Seal::State::Foreign) {
    notes_.push_back("what '" + folder_ + "' keeps is of another heddle; it is made again");
  } else if (seal_.state == Seal::State::Writing) {
    notes_.push_back("a scan died while it wrote '" + folder_ + "'; what it keeps is made again");
  } else if (!check(seal_) || !open_for_reading()) {
    notes_.push_back("'" + folder_ + "' is damaged; what it keeps is made again");
  } else {
    is_fresh_ = false;
  }
}

RecordStore::~RecordStore() {
  close();
  if (lock_ >= 0) ::close(lock_);
}

/// False: nothing can be read or kept.
bool RecordStore::lock_folder() {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  lock_ = ::open(path("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) lock_ = ::open(path("lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (lock_ < 0) {
    notes_.push_back("nothing is kept for the next scan: '" + path("lock") +
                     "': " + failure_words(failure ? failure.value() : errno));
    return false;
  }
  if (::flock(lock_, LOCK_SH | LOCK_NB) == 0) return true;
  ::close(lock_);  // another run is writing
  lock_ = -1;
  return false;
}

RecordStore::Seal RecordStore::read_seal() const {
  Seal out;
  std::ifstream in(path("seal"), std::ios::binary);
  if (!in) return out;
  std::ostringstream all;
  all << in.rdbuf();
  out.text = all.str();
  std::istringstream text(out.text);
  std::string form_line, maker_line, state;
  std::getline(text, form_line);
  std::getline(text, maker_line);
  text >> state;
  out.state = Seal::State::Damaged;
  if (!form_line.starts_with(any_form) || (state != whole && state != writing)) return out;
  if (form_line != form || maker_line != maker_)
    out.state = Seal::State::Foreign;
  else if (state == writing)
    out.state = Seal::State::Writing;
  else if (text >> out.size >> out.checksum.high >> out.checksum.low && out.text == seal_text(out.size, out.checksum))
    out.state = Seal::State::Whole;
  return out;
}

std::string RecordStore::seal_text(std::uint64_t size, const ContentHash& checksum) const {
  return seal_text(whole) + std::to_string(size) + " " + std::to_string(checksum.high) + " " +
         std::to_string(checksum.low) + "\n";
}

std::string RecordStore::seal_text(std::string_view state) const {
  return std::string(form) + "\n" + maker_ + "\n" + std::string(state) + "\n";
}

bool RecordStore::check(const Seal& seal) {
  const auto found = checksum_of(path("records"));
  return seal.state == Seal::State::Whole && found && found->first == seal.size && found->second == seal.checksum;
}

bool RecordStore::open_for_reading() {
  MDB_txn* transaction = nullptr;
  const bool is_open = mdb_env_create(&environment_) == 0 &&
                       mdb_env_open(environment_, path("records").c_str(),
                                    MDB_NOSUBDIR | MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS, 0666) == 0 &&
                       mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &transaction) == 0;
  const bool has_table = is_open && mdb_dbi_open(transaction, nullptr, 0, &records_) == 0;
  if (has_table)
    mdb_txn_commit(transaction);
  else if (transaction != nullptr)
    mdb_txn_abort(transaction);
  if (!has_table) close();
  return has_table;
}

void RecordStore::close() {
  if (environment_ != nullptr) mdb_env_close(environment_);
  environment_ = nullptr;
}

RecordStore::Reader::Reader(RecordStore& store) : store_(store) {
  if (store.environment_ != nullptr && mdb_txn_begin(store.environment_, nullptr, MDB_RDONLY, &transaction_) != 0)
    transaction_ = nullptr;
}

RecordStore::Reader::~Reader() {
  if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  const std::scoped_lock lock(store_.mutex_);
  store_.used_.insert(store_.used_.end(), used_.begin(), used_.end());
}

std::optional<std::string_view> RecordStore::Reader::find(const ContentHash& key) {
  if (transaction_ == nullptr) return std::nullopt;
  RawKey raw(key);
  MDB_val name = raw.value(), found{};
  if (mdb_get(transaction_, store_.records_, &name, &found) != 0) return std::nullopt;
  used_.push_back(key);
  return std::string_view(static_cast<const char*>(found.mv_data), found.mv_size);
}

void RecordStore::put(const ContentHash& key, std::string bytes) {
  if (lock_ < 0) return;
  const std::scoped_lock lock(mutex_);
  pending_.emplace_back(key, std::move(bytes));
}

bool RecordStore::write_seal(std::string_view state) {
  if (state != whole) return write_file(path("seal"), seal_text(state)).has_value();
  const auto sum = checksum_of(path("records"));
  return sum && write_file(path("seal"), seal_text(sum->first, sum->second)).has_value();
}

/// A store that has grown too large begins anew with what this run used.
void RecordStore::keep_used() {
  if (is_fresh_ || seal_.size <= limits_.idle_bytes) return;
  std::uint64_t bytes = 0;
  std::set<ContentHash> keys;
  for (const auto& [key, value] : pending_) {
    bytes += value.size();
    keys.insert(key);
  }
  std::vector<std::pair<ContentHash, std::string>> used;
  const std::vector<ContentHash> wanted = std::exchange(used_, {});
  Reader reader(*this);
  for (const ContentHash& key : wanted)
    if (const auto found = reader.find(key); found && keys.insert(key).second) {
      bytes += found->size();
      used.emplace_back(key, *found);
    }
  if (seal_.size <= 4 * bytes) return;
  std::ranges::move(used, std::back_inserter(pending_));
  is_fresh_ = true;
}

void RecordStore::start_anew() {
  std::error_code ignored;
  std::filesystem::remove(path("records"), ignored);  // one file; whatever else lies there is not ours
}

void RecordStore::commit() {
  if (lock_ < 0 || pending_.empty()) return;
  keep_used();
  close();
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) return;  // others read; the next run keeps it
  // Between our reading and now another run may have written.
  if (const Seal now = read_seal(); now.text != seal_.text) is_fresh_ = !check(now);
  const auto give_up = [&](const std::string& why) {
    notes_.push_back("nothing is kept for the next scan: '" + folder_ + "': " + why);
  };
  if (!write_seal(writing)) return give_up("cannot be written");
  std::ranges::sort(pending_);  // LMDB fills its pages best in order, and the file does not depend on who was first
  if (is_fresh_) start_anew();
  if (const int failure = write_records(); failure != 0) {
    start_anew();
    return give_up(failure > 0 ? failure_words(failure) : mdb_strerror(failure));
  }
  if (!write_seal(whole)) give_up("cannot be written");
}

int RecordStore::write_records() {
  std::error_code ignored;
  const std::uint64_t there = std::filesystem::exists(path("records"), ignored)
                                  ? static_cast<std::uint64_t>(std::filesystem::file_size(path("records"), ignored))
                                  : 0;
  std::uint64_t room = std::max(limits_.map_bytes, 2 * there);
  room = (room + 0xffff) & ~std::uint64_t{0xffff};
  constexpr std::uint64_t largest = std::uint64_t{1} << 40;
  int failure = MDB_MAP_FULL;
  for (; failure == MDB_MAP_FULL && room <= largest; room *= 2) {
    MDB_txn* transaction = nullptr;
    failure = mdb_env_create(&environment_);
    if (failure == 0) failure = mdb_env_set_mapsize(environment_, room);
    // No syncing: what a crash of the machine tears, the seal shows.
    if (failure == 0)
      failure =
          mdb_env_open(environment_, path("records").c_str(), MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC | MDB_NOTLS, 0666);
    if (failure == 0) failure = mdb_txn_begin(environment_, nullptr, 0, &transaction);
    if (failure == 0) failure = mdb_dbi_open(transaction, nullptr, 0, &records_);
    for (std::size_t i = 0; i < pending_.size() && failure == 0; ++i) {
      RawKey raw(pending_[i].first);
      MDB_val name = raw.value(), value{pending_[i].second.size(), pending_[i].second.data()};
      failure = mdb_put(transaction, records_, &name, &value, 0);
    }
    if (failure == 0)
      failure = mdb_txn_commit(transaction);
    else if (transaction != nullptr)
      mdb_txn_abort(transaction);
    close();
  }
  return failure;
}

}  // namespace heddle::store
