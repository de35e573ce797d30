// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/file_table.h"

#include <algorithm>
#include <cerrno>

#include "interpret/core/core.h"

namespace heddle::interpret {
namespace {

/// A byte of unknown input: what is no byte means the end, and so does zero, the first answer a search gives.
int chosen_byte(Core& core, std::string_view source) {
  const std::uint64_t answer = core.choose_value(16, false, source);
  return answer == 0 || answer > 0xff ? -1 : static_cast<int>(answer);
}

std::int64_t find_stored(const FileTable& files, const std::string& name) {
  const auto it = std::ranges::find(files.stored, name, &StoredFile::name);
  return it == files.stored.end() ? -1 : it - files.stored.begin();
}

}  // namespace

OpenFile& Core::open_file(std::uint64_t descriptor) {
  auto& open = shared.files.open;
  if (descriptor >= open.size()) unsupported("file descriptor " + std::to_string(descriptor));
  return open[descriptor];
}

Slot Core::stream_object(std::uint32_t descriptor) {
  OpenFile& file = open_file(descriptor);
  if (file.stream == 0) {
    const ObjectId id = memory.allocate({ObjectKind::Library, 256, 16, 0, {}, 0, true});
    if (id == 0) end_run(OutcomeKind::CapReached, "address space");
    std::memcpy(memory.object(id).data, &descriptor, sizeof descriptor);
    memory.object(id).data[4] = 1;
    file.stream = memory.object(id).base;
  }
  return pointer_at(file.stream);
}

std::uint32_t Core::descriptor_of(const Slot& stream) {
  const Object& object = resolve(stream, 8, false);
  std::uint32_t descriptor = 0;
  std::memcpy(&descriptor, object.data, sizeof descriptor);
  const bool is_open = object.kind == ObjectKind::Library && descriptor < shared.files.open.size() &&
                       shared.files.open[descriptor].stream == object.base;
  if (object.kind == ObjectKind::Library && object.data[4] == 1 && !is_open)
    undefined("a stream that is closed is used");
  if (!is_open) unsupported("a stream that this machine did not open");
  return descriptor;
}

int Core::read_byte(std::uint32_t descriptor) {
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
    const std::string& content = shared.files.stored[file.stored].content;
    if (file.position < content.size()) byte = static_cast<unsigned char>(content[file.position]);
  } else if (file.kind == FileKind::Input && knows_input()) {
    if (file.position < options.input->size()) byte = static_cast<unsigned char>((*options.input)[file.position]);
  } else if (!file.at_end) {
    byte = chosen_byte(*this, file.kind == FileKind::Input ? "standard input" : "a file");
  }
  if (byte >= 0)
    ++file.position;
  else
    file.at_end = true;
  return byte;
}

bool Core::knows_input() {
  if (!options.input && options.host.input) options.input = options.host.input();
  return options.input.has_value();
}

bool Core::write_file(std::uint32_t descriptor, std::string_view text) {
  OpenFile& file = open_file(descriptor);
  if (output.size() + errors.size() + text.size() > options.max_heap_bytes) end_run(OutcomeKind::CapReached, "output");
  switch (file.kind) {
    case FileKind::Output: output += text; return true;
    case FileKind::Errors: errors += text; return true;
    case FileKind::Stored: {
      if (!file.may_write) break;
      if (text.size() > options.max_heap_bytes) end_run(OutcomeKind::CapReached, "file size");
      std::string& content = shared.files.stored[file.stored].content;
      if (file.appends) file.position = content.size();
      if (file.position + text.size() > options.max_heap_bytes) end_run(OutcomeKind::CapReached, "file size");
      if (content.size() < file.position + text.size()) content.resize(file.position + text.size());
      content.replace(file.position, text.size(), text);
      file.position += text.size();
      return true;
    }
    default: break;
  }
  file.failed = true;
  return false;
}

std::int64_t Core::open_named(const std::string& name, const OpenMode& mode) {
  touch_shared();
  FileTable& files = shared.files;
  std::int64_t stored = find_stored(files, name);
  OpenFile file{FileKind::Stored, mode.may_read, mode.may_write, mode.appends, false, false, -1, 0, 0, 0};
  if (stored >= 0 && mode.is_new) return -EEXIST;
  if (stored < 0 && !mode.truncates) {
    if (options.host.file) {
      if (std::optional<std::string> content = options.host.file(name)) {
        stored = static_cast<std::int64_t>(files.stored.size());
        files.stored.push_back({name, std::move(*content)});
      } else if (!mode.creates) {
        return -ENOENT;
      }
    } else if (choose_value(1, false, "file " + name) == 0) {
      if (!mode.creates) return -ENOENT;
    } else {
      if (mode.may_write) unsupported("writing to file " + name + ", which the program did not make");
      file.kind = FileKind::Unknown;
    }
  }
  if (file.kind == FileKind::Stored) {
    if (stored < 0) {
      stored = static_cast<std::int64_t>(files.stored.size());
      files.stored.push_back({name, {}});
    }
    file.stored = static_cast<std::uint32_t>(stored);
    if (mode.truncates) files.stored[file.stored].content.clear();
  }
  for (std::size_t i = 0; i < files.open.size(); ++i)
    if (files.open[i].kind == FileKind::Closed) {
      files.open[i] = file;
      return static_cast<std::int64_t>(i);
    }
  files.open.push_back(file);
  return static_cast<std::int64_t>(files.open.size()) - 1;
}

int Core::remove_file(const std::string& name) {
  touch_shared();
  const std::int64_t stored = find_stored(shared.files, name);
  if (stored >= 0) {
    shared.files.stored[static_cast<std::size_t>(stored)].name.clear();
    return 0;
  }
  if (options.host.file && !options.host.file(name)) return ENOENT;
  if (options.host.file) unsupported("removing file " + name + ", which the program did not make");
  return choose_value(1, false, "file " + name) == 0 ? ENOENT : 0;
}

}  // namespace heddle::interpret
