// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/hunt_task.h"

#include <charconv>

#include "base/read_file.h"
#include "explore/evidence/shrink.h"
#include "explore/hunt/hunt.h"

namespace heddle::explore {
namespace {

constexpr std::size_t digits = 16;

bool read_key(std::string_view text, AccessKey& key) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), key, 16);
  return failure == std::errc() && end == text.data() + text.size();
}

Result<std::vector<AccessPair>> read_pairs(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return error(file + ": " + text.error().message);
  std::vector<AccessPair> pairs;
  std::string_view rest = *text;
  constexpr std::size_t length = 2 * digits + 2;
  for (; rest.size() >= length; rest.remove_prefix(length)) {
    AccessPair pair;
    if (!read_key(rest.substr(0, digits), pair.first) || !read_key(rest.substr(digits + 1, digits), pair.second)) break;
    pairs.push_back(pair);
  }
  if (!rest.empty()) return error(file + ": line " + std::to_string(pairs.size() + 1) + " is no pair of accesses");
  return pairs;
}

std::string hex(AccessKey key) {
  std::string text(digits, '0');
  for (std::size_t i = digits; key != 0; key >>= 4) text[--i] = "0123456789abcdef"[key & 15];
  return text;
}

}  // namespace

Result<void> hunt_task(Subject& subject, const std::string& file,
                       const std::function<std::uint64_t(const char*, std::uint64_t)>& ask, DriverResult& result,
                       const std::function<void()>& send) {
  const Result<std::vector<AccessPair>> pairs = read_pairs(file);
  if (!pairs) return std::unexpected(pairs.error());
  HuntOptions options;
  options.stop = Stop(static_cast<std::uint32_t>(ask("HEDDLE_SECONDS", 0)));
  options.budget = ask("HEDDLE_HUNT", 4'000'000'000);
  options.budget_each = ask("HEDDLE_HUNT_EACH", 60'000'000);
  options.events = ask("HEDDLE_EVENTS", options.events);
  options.first_run = ask("HEDDLE_FIRST_RUN", 0);
  options.makes_runs = ask("HEDDLE_RUNS", 1) != 0;
  options.length = 1'000;           // what counts as an instruction here is an access
  options.takes_unordered = false;  // libraries have no hooks: they may order what nothing here tells of
  HuntNews news;
  news.found = [&](const AccessPair& pair, const ConfirmedRace& race) {
    result.add("pair", hex(pair.first) + " " + hex(pair.second));
    const ConfirmedRace short_one = shrink(subject, race, {.stop = options.stop});
    result.add({portable(short_one), short_one.race});
    send();
  };
  news.begins = [&](const char* stage, std::uint64_t number) {
    result.add("begun", std::string(stage) + " " + std::to_string(number));
    send();
  };
  const HuntResult done = hunt(subject, *pairs, options, news);
  for (const std::uint32_t reached : done.reached) result.add("made", std::to_string(reached));
  result.add("runs", std::to_string(done.runs));
  result.add("executions", std::to_string(done.executions));
  if (!done.obstacle.empty()) result.add("obstacle", done.obstacle);
  return {};
}

}  // namespace heddle::explore
