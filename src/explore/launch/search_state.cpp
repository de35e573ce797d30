// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/search_state.h"

#include <filesystem>

#include "base/read_file.h"
#include "base/write_file.h"

namespace heddle::explore {
namespace {

constexpr std::string_view magic = "heddle-search 1\n";

Result<SearchState> state_from(std::string_view bytes, const std::string& key) {
  ByteReader in(bytes);
  if (in.text() != key)
    return error("it belongs to a search of another program, with other arguments or by another heddle; remove it");
  SearchState state;
  Result<Frontier> left = Frontier::from_bytes(in.text());
  state.sights = read_sights(in);
  state.learnt = read_learnt(in);
  state.is_second = in.below(2) != 0;
  state.runs = in.number();
  state.rounds = in.number();
  for (std::uint32_t count = in.count(); count > 0 && !in.failed(); --count) state.races.emplace_back(in.text());
  if (!left || in.failed() || !in.at_end()) return error("it is damaged; remove it");
  state.left = std::move(*left);
  return state;
}

}  // namespace

Result<void> write_state(const SearchState& state, const std::string& file, const std::string& key) {
  ByteWriter out;
  out.text(key).text(state.left.bytes());
  write(out, state.sights);
  write(out, state.learnt);
  out.number(state.is_second ? 1 : 0).number(state.runs).number(state.rounds);
  out.number(state.races.size());
  for (const std::string& text : state.races) out.text(text);
  ByteWriter sealed;
  sealed.raw(magic).hash(Hasher().add(out.bytes()).finish()).raw(out.bytes());
  return write_file(file, sealed.bytes());
}

Result<std::optional<SearchState>> read_state(const std::string& file, const std::string& key) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  const Result<std::string> text = read_file(file);
  if (!text) return std::unexpected(text.error());
  std::string_view rest = *text;
  if (!rest.starts_with(magic)) return error(file + ": it holds no search");
  rest.remove_prefix(magic.size());
  ByteReader seal(rest);
  const ContentHash hash = seal.hash();
  rest.remove_prefix(std::min<std::size_t>(rest.size(), 2 * sizeof(std::uint64_t)));
  if (seal.failed() || hash != Hasher().add(rest).finish()) return error(file + ": it is damaged; remove it");
  Result<SearchState> state = state_from(rest, key);
  if (!state) return error(file + ": " + state.error().message);
  return std::optional(std::move(*state));
}

}  // namespace heddle::explore
