// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/unit_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "base/content_hash.h"
#include "base/kept/kept_file.h"
#include "base/machine/failure_words.h"
#include "program/unit/unit_form.h"
#include "program/unit/valid_program.h"

namespace heddle {
namespace {

// magic, version, form, length, seal of the rest, then sizes of columns and frames, then the frames of columns.
constexpr std::string_view magic("heddle\x01unit\n", 12);
constexpr std::uint32_t form_version = 7;
/// Large programs compress well anyway, and the best levels would take longer than to link them.
constexpr std::uint64_t large = std::uint64_t{8} << 20;
constexpr int zstd_level = 17, zstd_level_of_large = 9;
/// More than this is not believed, so that a small file cannot ask for much memory. Larger gains are given up.
constexpr std::uint64_t most_expansion = 64;
constexpr std::uint64_t always_believed = std::uint64_t{64} << 10;
constexpr std::uint64_t enough_for_a_frame = std::uint64_t{16} << 10;

bool is_believed(std::uint64_t plain, std::uint64_t packed) {
  return plain / most_expansion <= packed + always_believed / most_expansion;
}

/// What the numbers in a file mean besides its version: a build whose enums or columns differ writes another form.
std::uint64_t form_hash() {
  Hasher h;
  h.add(column_count).add(static_cast<std::uint64_t>(Opcode::Unsupported));
  h.add(static_cast<std::uint64_t>(Predicate::FTrue)).add(static_cast<std::uint64_t>(BinaryOp::FRem));
  h.add(static_cast<std::uint64_t>(CastOp::AddrSpaceCast)).add(static_cast<std::uint64_t>(RmwOp::Other));
  h.add(static_cast<std::uint64_t>(TypeKind::Other)).add(static_cast<std::uint64_t>(Linkage::Declaration));
  h.add(static_cast<std::uint64_t>(LockAnnotation::Kind::NoAnalysis));
  return h.finish().low;
}

struct Header {
  std::array<char, magic.size()> word{};
  std::uint32_t version = 0;
  std::uint64_t form = 0;
  std::uint64_t length = 0;  ///< of the whole file
  kept::Seal seal;           ///< of everything behind the header
};

static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == 56);

void write_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Takes a number off the front; none if there is not one.
std::optional<std::uint64_t> read_number(std::string_view& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !in.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// How many bytes each column has, and each frame of the compressed columns.
struct Directory {
  std::array<std::uint64_t, column_count> columns{};
  std::vector<std::uint64_t> frames;  ///< as many as its columns have: not compressed
};

/// The last column of the frame that begins with column `first`. Columns that are small share a frame: each costs time.
std::size_t end_of_frame(const Directory& directory, std::size_t first) {
  std::uint64_t size = 0;
  while (first < column_count && size < enough_for_a_frame) size += directory.columns[first++];
  return first;
}

std::uint64_t plain_size(const Directory& directory, std::size_t first, std::size_t end) {
  std::uint64_t size = 0;
  for (; first < end; ++first) size += directory.columns[first];
  return size;
}

bool read_directory(std::string_view& in, Directory& out) {
  const std::uint64_t file_size = in.size();
  for (std::uint64_t& size : out.columns) {
    const auto number = read_number(in);
    if (!number || !is_believed(*number, file_size)) return false;
    size = *number;
  }
  if (!is_believed(plain_size(out, 0, column_count), file_size)) return false;
  for (std::size_t column = 0; column < column_count; column = end_of_frame(out, column)) {
    const auto number = read_number(in);
    if (!number || *number > file_size) return false;
    out.frames.push_back(*number);
  }
  return true;
}

kept::Seal unit_seal(std::string_view bytes) { return kept::seal_of("unit", bytes); }

std::string compressed(ZSTD_CCtx* context, std::string_view plain, int level) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compressCCtx(context, out.data(), out.size(), plain.data(), plain.size(), level);
  HEDDLE_CHECK(ZSTD_isError(size) == 0, "zstd has enough room");
  out.resize(size);
  return out;
}

/// Frames behind each other; `directory` tells where one ends.
std::string pack(const Columns& columns, Directory& directory) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  for (std::size_t i = 0; i < column_count; ++i) directory.columns[i] = columns[i].size();
  const int level = plain_size(directory, 0, column_count) < large ? zstd_level : zstd_level_of_large;
  std::string out;
  std::string all;
  std::vector<std::uint64_t> plain_frames;
  for (std::size_t first = 0; first < column_count;) {
    const std::size_t end = end_of_frame(directory, first);
    std::string plain;
    for (; first < end; ++first) plain += columns[first];
    const std::string small = compressed(context.get(), plain, level);
    const std::string& smaller = small.size() < plain.size() ? small : plain;
    directory.frames.push_back(smaller.size());
    plain_frames.push_back(plain.size());
    out += smaller;
    all += plain;
  }
  if (is_believed(all.size(), out.size())) return out;
  directory.frames = plain_frames;
  return all;
}

/// Views of the columns: in `packed`, or in `plain` if they were compressed.
Result<ColumnViews> unpack(std::string_view packed, const Directory& directory, std::unique_ptr<char[]>& plain) {
  plain = std::make_unique_for_overwrite<char[]>(plain_size(directory, 0, column_count));
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  char* to = plain.get();
  ColumnViews out;
  std::size_t column = 0;
  for (const std::uint64_t frame_size : directory.frames) {
    const std::size_t end = end_of_frame(directory, column);
    const std::uint64_t size = plain_size(directory, column, end);
    if (frame_size > packed.size()) return error("its sizes are wrong");
    std::string_view frame = packed.substr(0, frame_size);
    packed.remove_prefix(frame_size);
    if (frame_size != size) {
      if (ZSTD_decompressDCtx(context.get(), to, size, frame.data(), frame.size()) != size)
        return error("a column cannot be decompressed");
      frame = {to, size};
      to += size;
    }
    for (; column < end; ++column) {
      out[column] = frame.substr(0, directory.columns[column]);
      frame.remove_prefix(directory.columns[column]);
    }
  }
  if (!packed.empty()) return error("its sizes are wrong");
  return out;
}

/// Checked against the size of the file, not against its content.
Result<Header> read_header(std::string_view bytes) {
  Header header;
  if (bytes.empty()) return error("the unit file is empty");
  if (bytes.size() < sizeof header) return error("the unit file is cut short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string_view(header.word.data(), header.word.size()) != magic) return error("is not a unit file of heddle");
  if (header.version != form_version || header.form != form_hash())
    return error("the unit file was written by another version of heddle");
  if (!kept::is_own_key(header.seal)) return error("the unit file was not made by you, so it is not believed");
  if (bytes.size() < header.length) return error("the unit file is cut short");
  if (bytes.size() != header.length) return error("the unit file is damaged");
  return header;
}

Error damaged(const std::string& path, const std::string& what) { return {path + ": error: " + what}; }

/// A file mapped for reading.
class MappedFile {
 public:
  explicit MappedFile(const kept::Place& place) {
    auto file = kept::open_kept(place);
    if (!file) {
      trouble_ = file.error().message;
      return;
    }
    struct stat status{};
    if (::fstat(file->get(), &status) != 0 || status.st_size <= 0) return;
    size_ = static_cast<std::size_t>(status.st_size);
    void* at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file->get(), 0);
    if (at != MAP_FAILED)
      begin_ = static_cast<const char*>(at);
    else
      trouble_ = place.path() + ": cannot be mapped: " + failure_words(errno);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (begin_ != nullptr) ::munmap(const_cast<char*>(begin_), size_);  // NOLINT: the system's signature
  }
  /// Empty: it can be read.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] std::string_view bytes() const { return begin_ == nullptr ? "" : std::string_view(begin_, size_); }

 private:
  const char* begin_ = nullptr;
  std::size_t size_ = 0;
  std::string trouble_;
};

}  // namespace

ContentHash unit_form() { return Hasher().add(form_version).add(form_hash()).finish(); }

std::string encode_unit(const Program& unit) {
  Directory directory;
  const std::string columns = pack(to_columns(unit), directory);
  std::string out(sizeof(Header), '\0');
  for (const std::uint64_t size : directory.columns) write_number(out, size);
  for (const std::uint64_t size : directory.frames) write_number(out, size);
  out += columns;
  return seal_unit(std::move(out));
}

std::string seal_unit(std::string bytes) {
  Header header;
  if (bytes.size() < sizeof header) bytes.resize(sizeof header);
  std::memcpy(header.word.data(), magic.data(), magic.size());
  header.version = form_version;
  header.form = form_hash();
  header.length = bytes.size();
  header.seal = unit_seal(std::string_view(bytes).substr(sizeof header));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<Program> decode_unit(std::string_view bytes) {
  const auto header = read_header(bytes);
  if (!header) return std::unexpected(header.error());
  std::string_view rest = bytes.substr(sizeof(Header));
  if (unit_seal(rest) != header->seal) return error("the unit file is damaged");
  Directory directory;
  if (!read_directory(rest, directory)) return error("the unit file is damaged: it has no directory");
  std::unique_ptr<char[]> plain;
  const auto columns = unpack(rest, directory, plain);
  if (!columns) return error("the unit file is damaged: " + columns.error().message);
  Program program;
  ColumnReader in(*columns, program.arena);
  from_columns(in, program);
  if (in.failed() || !in.is_used_up()) return error("the unit file is damaged: its columns do not fit each other");
  if (auto valid = check_program(program); !valid) return error("the unit file is damaged: " + valid.error().message);
  program.index_names();
  return program;
}

Result<void> write_unit_file(const kept::Place& place, const Program& unit) {
  return kept::write_unsealed(place, encode_unit(unit));
}

Result<ContentHash> unit_file_identity(const kept::Place& place) {
  const MappedFile file(place);
  if (!file.trouble().empty()) return error(file.trouble());
  const auto header = read_header(file.bytes());
  if (!header) return std::unexpected(damaged(place.path(), header.error().message));
  return header->seal.mac;
}

Result<Program> read_unit_file(const kept::Place& place) {
  const MappedFile file(place);
  if (!file.trouble().empty()) return error(file.trouble());
  auto program = decode_unit(file.bytes());
  if (!program) return std::unexpected(damaged(place.path(), program.error().message));
  return program;
}

}  // namespace heddle
