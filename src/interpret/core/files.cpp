// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/files.h"

#include <algorithm>
#include <cerrno>

namespace heddle::interpret {
namespace {

/// An unknown file ends there at the latest: that it is longer is another run, which would take for ever.
constexpr std::uint64_t most_unknown_bytes = 1024;

std::int64_t find_stored(const FileTable& files, const std::string& name) {
  const auto it = std::ranges::find(files.stored, name, &StoredFile::name);
  return it == files.stored.end() || name.empty() ? -1 : it - files.stored.begin();
}

}  // namespace

OpenFile& Files::open_file(std::uint64_t descriptor) {
  auto& open = library_.saved().files.open;
  if (descriptor >= open.size()) account_.unsupported("file descriptor " + std::to_string(descriptor));
  return open[descriptor];
}

const StoredFile& Files::stored(const OpenFile& file) const { return library_.now().files.stored[file.stored]; }

Slot Files::stream_object(std::uint32_t descriptor) {
  OpenFile& file = open_file(descriptor);
  if (file.stream == 0) {
    library_.save();
    Object& object = memory_.object(objects_.make(256, 0));
    std::memcpy(object.data, &descriptor, sizeof descriptor);
    object.data[4] = 1;
    file.stream = object.base;
  }
  return space_.pointer_at(file.stream);
}

std::uint32_t Files::descriptor_of(const Slot& stream) {
  const Object& object = space_.resolve(stream, 8, false);
  const auto& open = library_.now().files.open;
  std::uint32_t descriptor = 0;
  std::memcpy(&descriptor, object.data, sizeof descriptor);
  const bool is_open =
      object.kind == ObjectKind::Library && descriptor < open.size() && open[descriptor].stream == object.base;
  if (object.kind == ObjectKind::Library && object.data[4] == 1 && !is_open)
    account_.undefined("a stream that is closed is used");
  if (!is_open) account_.unsupported("a stream that this machine did not open");
  return descriptor;
}

namespace {

/// Directories that every system has and where files of programs and users lie: the Filesystem Hierarchy Standard.
constexpr std::string_view usual_directories[] = {"bin",  "boot", "etc",  "home", "lib", "media", "mnt", "opt",
                                                  "root", "run",  "sbin", "srv",  "tmp", "usr",   "var"};

}  // namespace

void Files::check_name(const std::string& name) {
  if (options_.host.file || name.empty()) return;
  const auto refuse = [&] { account_.unsupported("file " + name + ", of which nothing is known"); };
  const std::size_t last = name.rfind('/') + 1;
  const std::string_view base = std::string_view(name).substr(last);
  if (base.empty() || base == "." || base == ".." || base.size() > 255) refuse();
  if (name[0] != '/') return;
  const std::string_view top = std::string_view(name).substr(1, name.find('/', 1) - 1);
  if (last <= 1 || std::ranges::find(usual_directories, top) == std::end(usual_directories)) refuse();
}

/// A byte of unknown input: what is no byte means the end, and so does zero, the first answer a search gives.
int Files::chosen_byte(std::string_view source) {
  const std::uint64_t answer = choices_.value(16, false, source);
  return answer == 0 || answer > 0xff ? -1 : static_cast<int>(answer);
}

int Files::read_byte(std::uint32_t descriptor) {
  OpenFile& file = open_file(descriptor);
  if (file.pushed >= 0) {
    const int byte = file.pushed;
    file.pushed = -1;
    return byte;
  }
  if (!file.may_read) {
    file.failed = true;
    return -1;
  }
  int byte = -1;
  if (file.kind == FileKind::Stored) {
    const std::string& content = stored(file).content;
    if (file.position < content.size()) byte = static_cast<unsigned char>(content[file.position]);
  } else if (file.kind == FileKind::Input && knows_input()) {
    if (file.position < options_.input->size()) byte = static_cast<unsigned char>((*options_.input)[file.position]);
  } else if (!file.at_end && file.position < most_unknown_bytes) {
    byte = chosen_byte(file.kind == FileKind::Input ? "standard input" : "a file");
  }
  if (byte >= 0)
    ++file.position;
  else
    file.at_end = true;
  return byte;
}

bool Files::knows_input() {
  if (!options_.input && options_.host.input) options_.input = options_.host.input();
  return options_.input.has_value();
}

bool Files::write(std::uint32_t descriptor, std::string_view text) {
  OpenFile& file = open_file(descriptor);
  if (account_.output().size() + account_.errors().size() + text.size() > options_.max_heap_bytes)
    account_.cap_reached("output");
  switch (file.kind) {
    case FileKind::Output: account_.output() += text; return true;
    case FileKind::Errors: account_.errors() += text; return true;
    case FileKind::Stored:
      if (file.may_write) return write_stored(file, text);
      break;
    default: break;
  }
  file.failed = true;
  return false;
}

bool Files::write_stored(OpenFile& file, std::string_view text) {
  if (text.size() > options_.max_heap_bytes) account_.cap_reached("file size");
  std::string& content = library_.saved().files.stored[file.stored].content;
  if (file.appends) file.position = content.size();
  if (file.position + text.size() > options_.max_heap_bytes) account_.cap_reached("file size");
  if (content.size() < file.position + text.size()) content.resize(file.position + text.size());
  content.replace(file.position, text.size(), text);
  file.position += text.size();
  return true;
}

std::uint32_t Files::add(std::string name, std::string content) {
  auto& stored = library_.saved().files.stored;
  stored.push_back({std::move(name), std::move(content)});
  return static_cast<std::uint32_t>(stored.size() - 1);
}

int Files::find_outside(const std::string& name, const OpenMode& mode, OpenFile& file, std::int64_t& stored) {
  if (name.empty() || std::ranges::find(library_.now().files.removed, name) != library_.now().files.removed.end())
    return mode.creates && !name.empty() ? 0 : -ENOENT;
  if (options_.host.file) {
    std::optional<std::string> content = options_.host.file(name);
    if (content) stored = add(name, std::move(*content));
    return !content && !mode.creates ? -ENOENT : 0;
  }
  if (choices_.value(1, false, "file " + name) == 0) return mode.creates ? 0 : -ENOENT;
  if (mode.is_new) return -EEXIST;
  if (mode.may_write) account_.unsupported("writing to file " + name + ", which the program did not make");
  file.kind = FileKind::Unknown;
  return 0;
}

std::int64_t Files::open_named(const std::string& name, const OpenMode& mode) {
  FileTable& files = library_.change().files;
  std::int64_t stored = find_stored(files, name);
  OpenFile file{FileKind::Stored, mode.may_read, mode.may_write, mode.appends, false, false, -1, 0, 0, 0};
  if (stored >= 0 && mode.is_new) return -EEXIST;
  if (stored < 0) check_name(name);
  if (stored < 0 && !mode.truncates) {
    if (const int error = find_outside(name, mode, file, stored); error != 0) return error;
  }
  if (file.kind == FileKind::Stored) {
    file.stored = stored < 0 ? add(name, {}) : static_cast<std::uint32_t>(stored);
    if (mode.truncates) files.stored[file.stored].content.clear();
  }
  return add_open(file);
}

std::int64_t Files::add_open(const OpenFile& file) {
  auto& open = library_.saved().files.open;
  auto at = std::ranges::find(open, FileKind::Closed, &OpenFile::kind);
  if (at == open.end())
    open.push_back(file), at = std::prev(open.end());
  else
    *at = file;
  return at - open.begin();
}

int Files::remove(const std::string& name) {
  FileTable& files = library_.change().files;
  const std::int64_t stored = find_stored(files, name);
  const auto gone = std::ranges::find(files.removed, name);
  if (stored < 0 && (name.empty() || gone != files.removed.end())) return ENOENT;
  if (gone == files.removed.end()) files.removed.push_back(name);
  if (stored >= 0) {
    files.stored[static_cast<std::size_t>(stored)].name.clear();
    return 0;
  }
  check_name(name);
  if (options_.host.file && !options_.host.file(name)) return ENOENT;
  if (options_.host.file) account_.unsupported("removing file " + name + ", which the program did not make");
  return choices_.value(1, false, "file " + name) == 0 ? ENOENT : 0;
}

}  // namespace heddle::interpret
