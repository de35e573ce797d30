// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store/record_store.h"

#include <sys/file.h>

#include <algorithm>

#include "base/byte_stream.h"

namespace heddle::store {
namespace {

constexpr std::string_view form = "heddle records 2\n";
constexpr std::size_t row_size = 4 * sizeof(std::uint64_t);

}  // namespace

RecordStore::RecordStore(const std::string& folder, std::string maker, const Limits& limits)
    : folder_(folder), maker_(std::move(maker)), limits_(limits) {
  read();
}

kept::Place RecordStore::place(std::string_view name) const {
  const kept::Place own(folder_);
  return {own.folder, own.name + "/" + std::string(name)};
}

void RecordStore::read() {
  rows_.clear();
  content_.clear();
  seal_ = kept::seal_at(place("records"));
  auto found = kept::read_kept(place("records"));
  if (!found) {
    if (found.error().kind == kept::NotKept::Kind::Foreign)
      notes_.push_back("what '" + folder_ + "' keeps was not made by you with this heddle; it is made again");
    else if (found.error().kind == kept::NotKept::Kind::Refused)
      notes_.push_back("what was kept is made again: " + found.error().message);
    else if (found.error().kind == kept::NotKept::Kind::Damaged)
      notes_.push_back("'" + folder_ + "' is damaged; what it keeps is made again");
    return;
  }
  content_ = std::move(*found);
  const std::string own = head();
  if (!content_.starts_with(own)) {
    notes_.push_back("what '" + folder_ + "' keeps is of another heddle; it is made again");
    content_.clear();
  } else if (!read_rows(std::string_view(content_).substr(own.size()))) {
    notes_.push_back("'" + folder_ + "' is damaged; what it keeps is made again");
    content_.clear();
    rows_.clear();
  }
}

std::string RecordStore::head() const { return std::string(form) + maker_ + "\n"; }

bool RecordStore::read_rows(std::string_view after_head) {
  ByteReader in(after_head);
  const std::uint64_t count = in.word();
  if (in.failed() || count > in.left() / row_size) return false;
  rows_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Row row;
    row.key = in.hash();
    row.offset = in.word();
    row.size = in.word();
    if (row.offset > content_.size() || row.size > content_.size() - row.offset) return false;
    if (!rows_.empty() && !(rows_.back().key < row.key)) return false;
    rows_.push_back(row);
  }
  return true;
}

std::string_view RecordStore::bytes_of(const Row& row) const {
  return std::string_view(content_).substr(row.offset, row.size);
}

RecordStore::Reader::~Reader() {
  const std::scoped_lock lock(store_.mutex_);
  store_.used_.insert(store_.used_.end(), used_.begin(), used_.end());
}

std::optional<std::string_view> RecordStore::Reader::find(const ContentHash& key) {
  const auto row = std::ranges::lower_bound(store_.rows_, key, {}, &Row::key);
  if (row == store_.rows_.end() || row->key != key) return std::nullopt;
  used_.push_back(key);
  return store_.bytes_of(*row);
}

void RecordStore::put(const ContentHash& key, std::string bytes) {
  const std::scoped_lock lock(mutex_);
  pending_.emplace_back(key, std::move(bytes));
}

/// A store that has grown too large begins anew with what this run used.
void RecordStore::keep_used() {
  if (content_.size() <= limits_.idle_bytes) return;
  std::uint64_t bytes = 0;
  for (const auto& [key, value] : pending_) bytes += value.size();
  std::ranges::sort(used_);
  std::vector<Row> used;
  std::ranges::copy_if(rows_, std::back_inserter(used),
                       [&](const Row& row) { return std::ranges::binary_search(used_, row.key); });
  for (const Row& row : used) bytes += row.size;
  if (content_.size() > 4 * bytes) rows_ = std::move(used);
}

/// What was there and what was put, by key: the file does not depend on who was first.
std::string RecordStore::content_to_write() {
  std::ranges::sort(pending_);
  std::vector<std::pair<ContentHash, std::string_view>> all;
  all.reserve(rows_.size() + pending_.size());
  std::uint64_t bytes = 0;
  const auto add = [&](const ContentHash& key, std::string_view value) {
    if (!all.empty() && all.back().first == key) return;
    all.emplace_back(key, value);
    bytes += value.size();
  };
  auto old = rows_.begin();
  for (const auto& [key, value] : pending_) {
    for (; old != rows_.end() && old->key < key; ++old) add(old->key, bytes_of(*old));
    if (old != rows_.end() && old->key == key) ++old;
    add(key, value);
  }
  for (; old != rows_.end(); ++old) add(old->key, bytes_of(*old));
  const std::string own = head();
  std::uint64_t offset = own.size() + sizeof(std::uint64_t) + all.size() * row_size;
  ByteWriter out;
  out.reserve(offset + bytes);
  out.raw(own).word(all.size());
  for (const auto& [key, value] : all) {
    out.hash(key).word(offset).word(value.size());
    offset += value.size();
  }
  for (const auto& [key, value] : all) out.raw(value);
  return out.take();
}

void RecordStore::commit() {
  if (pending_.empty()) return;
  const auto give_up = [&](const std::string& why) {
    notes_.push_back("nothing is kept for the next scan: '" + folder_ + "': " + why);
  };
  if (auto made = kept::make_folders(place("records")); !made) return give_up(made.error().message);
  const auto lock = kept::open_lock(place("lock"));
  if (!lock) return give_up(lock.error().message);
  if (::flock(lock->get(), LOCK_EX | LOCK_NB) != 0) return;  // another run writes; the next keeps it
  // Between our reading and now another run may have written.
  if (kept::seal_at(place("records")) != seal_) {
    std::vector<std::string> notes = notes_;
    read();
    notes_ = std::move(notes);  // what is wrong with it now concerns nobody
  }
  keep_used();
  // Not waited for: what a crash of the machine tears, the seal shows.
  if (auto kept = write_kept(place("records"), content_to_write(), kept::Durability::Passing); !kept)
    give_up(kept.error().message);
}

}  // namespace heddle::store
