// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening, reading, moving in and closing files; state/file_table.h says which files there are. Reading is a scheduling
// point: what a thread finds depends on what others read or wrote before.
#include <algorithm>
#include <cerrno>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"
#include "interpret/sync/locks.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
constexpr std::uint32_t no_descriptor = ~0U;

/// The open file, ready to be changed. no_descriptor: the native returns at once.
std::uint32_t admitted_number(Call& c, std::uint32_t descriptor) {
  const Address stream = c.core.files.stream_object(descriptor).bits;
  if (!c.is_admitted(stream)) return no_descriptor;
  if (const Sync* lock = c.core.syncs.find(stream);
      lock != nullptr && lock->owner != no_thread && lock->owner != c.core.threads.current())
    c.core.account.unsupported("use of a stream that another thread holds by flockfile");
  c.order_through_files();
  c.core.library.save();
  return descriptor;
}

/// The open file in argument `i`. A descriptor below zero is none: the native returns at once.
std::uint32_t admitted(Call& c, std::size_t i, bool is_stream) {
  if (!is_stream && c.number(i) < 0) {
    c.set_errno(EBADF);
    c.give(minus_one);
    return no_descriptor;
  }
  return admitted_number(c, is_stream ? c.core.files.descriptor_of(c.slot(i)) : static_cast<std::uint32_t>(c.word(i)));
}

void lock_stream(Call& c) {
  const Address stream = c.core.files.stream_object(c.core.files.descriptor_of(c.slot(0))).bits;
  c.core.syncs.save(c.core.syncs.at(stream));
  c.core.syncs.at(stream).type = LockType::Recursive;
  c.stops = !c.core.gate.admit(OpKind::Lock, stream);
  if (!c.stops) (void)Locks(c.core).acquire(stream, false, false);
}

void unlock_stream(Call& c) {
  const Address stream = c.core.files.stream_object(c.core.files.descriptor_of(c.slot(0))).bits;
  c.stops = !c.core.gate.admit(OpKind::Unlock, stream);
  if (!c.stops) (void)Locks(c.core).release(stream);
}

OpenMode mode_of(Call& c, const std::string& text) {
  const bool plus = text.find('+') != std::string::npos;
  switch (text.empty() ? '\0' : text[0]) {
    case 'r': return {true, plus, false, false, false, false};
    case 'w': return {plus, true, false, true, true, text.find('x') != std::string::npos};
    case 'a': return {plus, true, true, true, false, false};
    default: c.core.account.undefined("fopen with mode \"" + text + "\"");
  }
}

/// The table of files is one thing that threads share.
bool may_change_files(Call& c) {
  if (!c.is_admitted(c.core.files.stream_object(0).bits)) return false;
  c.order_through_files();
  return true;
}

/// A file without a name is nowhere.
bool has_name(Call& c) {
  if (!c.text(0).empty()) return true;
  c.set_errno(ENOENT);
  return false;
}

void open_stream(Call& c) {
  if (!may_change_files(c) || !has_name(c)) return;
  const std::int64_t descriptor = c.core.files.open_named(c.text(0), mode_of(c, c.text(1)));
  if (descriptor < 0) {
    c.set_errno(static_cast<int>(-descriptor));
    return;
  }
  c.give_pointer(c.core.files.stream_object(static_cast<std::uint32_t>(descriptor)));
}

void open_temporary(Call& c) {
  if (!may_change_files(c)) return;
  const std::int64_t descriptor = c.core.files.open_named("", {true, true, false, true, true, false});
  c.give_pointer(c.core.files.stream_object(static_cast<std::uint32_t>(descriptor)));
}

void open_descriptor(Call& c) {
  if (!may_change_files(c)) return;
  if (!has_name(c)) {
    c.give(minus_one);
    return;
  }
  const std::uint64_t flags = c.word(1);
  const std::uint64_t way = flags & 3;
  const OpenMode mode{way != 1,           way != 0, (flags & 02000) != 0, (flags & 0100) != 0, (flags & 01000) != 0,
                      (flags & 0200) != 0};
  OpenMode wanted = mode;
  wanted.truncates = mode.truncates && mode.creates;
  const std::int64_t descriptor = c.core.files.open_named(c.text(0), wanted);
  if (descriptor < 0) c.set_errno(static_cast<int>(-descriptor));
  c.give(descriptor < 0 ? minus_one : static_cast<std::uint64_t>(descriptor));
}

void close_file(Call& c, bool is_stream) {
  const std::uint32_t descriptor = admitted(c, 0, is_stream);
  if (descriptor == no_descriptor) return;
  OpenFile& file = c.core.files.open_file(descriptor);
  if (file.kind == FileKind::Closed) {
    c.set_errno(EBADF);
    c.give(minus_one);
    return;
  }
  file = {};
  c.give(0);
}

void get_char(Call& c, bool is_stream) {
  const std::uint32_t descriptor = is_stream ? admitted(c, 0, true) : admitted_number(c, 0);
  if (descriptor == no_descriptor) return;
  c.give(static_cast<std::uint64_t>(static_cast<std::int64_t>(c.core.files.read_byte(descriptor))));
}

void unget_char(Call& c) {
  const std::uint32_t descriptor = admitted(c, 1, true);
  if (descriptor == no_descriptor) return;
  OpenFile& file = c.core.files.open_file(descriptor);
  const std::int64_t byte = c.number(0);
  if (byte < 0 || file.pushed >= 0) {
    c.give(minus_one);
    return;
  }
  file.pushed = static_cast<std::int32_t>(byte & 0xff);
  file.at_end = false;
  c.give(static_cast<std::uint64_t>(byte & 0xff));
}

std::string read_line(Call& c, std::uint32_t descriptor, std::uint64_t limit, int delimiter) {
  std::string line;
  while (line.size() < limit) {
    const int byte = c.core.files.read_byte(descriptor);
    if (byte < 0) break;
    line.push_back(static_cast<char>(byte));
    if (byte == delimiter) break;
  }
  return line;
}

void get_line(Call& c) {
  const std::uint32_t descriptor = admitted(c, 2, true);
  if (descriptor == no_descriptor) return;
  const std::int64_t limit = c.number(1);
  if (limit < 1) return;
  const std::string line = read_line(c, descriptor, static_cast<std::uint64_t>(limit) - 1, '\n');
  if (line.empty()) return;
  c.core.space.write_bytes(c.slot(0), line.c_str(), line.size() + 1);
  c.give_pointer(c.slot(0));
}

/// getline and getdelim: the buffer grows as needed.
void get_whole_line(Call& c, std::size_t stream, int delimiter) {
  const std::uint32_t descriptor = admitted(c, stream, true);
  if (descriptor == no_descriptor) return;
  const std::string line = read_line(c, descriptor, c.core.options.max_heap_bytes, delimiter);
  if (line.empty()) {
    c.give(minus_one);
    return;
  }
  Slot buffer = c.core.space.read_pointer(c.slot(0));
  const std::uint64_t room = buffer.bits == 0 ? 0 : c.core.space.read_word(c.slot(1), c.core.image.pointer_bytes);
  if (room < line.size() + 1) {
    const std::uint64_t wanted = std::max<std::uint64_t>(120, line.size() + 1);
    buffer = c.core.heap.reallocate(buffer, wanted);
    c.core.space.write_pointer(c.slot(0), buffer);
    c.core.space.write_word(c.slot(1), c.core.image.pointer_bytes, wanted);
  }
  c.core.space.write_bytes(buffer, line.c_str(), line.size() + 1);
  c.give(line.size());
}

std::string read_upto(Call& c, std::uint32_t descriptor, std::uint64_t count) {
  std::string bytes;
  for (int byte = 0; bytes.size() < count && (byte = c.core.files.read_byte(descriptor)) >= 0;)
    bytes.push_back(static_cast<char>(byte));
  return bytes;
}

void read_items(Call& c) {
  const std::uint32_t descriptor = admitted(c, 3, true);
  if (descriptor == no_descriptor) return;
  const std::string bytes = read_upto(c, descriptor, c.word(1) * c.word(2));
  c.core.space.write_bytes(c.slot(0), bytes.data(), bytes.size());
  c.give(c.word(1) == 0 ? 0 : bytes.size() / c.word(1));
}

void read_descriptor(Call& c) {
  const std::uint32_t descriptor = admitted(c, 0, false);
  if (descriptor == no_descriptor) return;
  const std::string bytes = read_upto(c, descriptor, c.word(2));
  c.core.space.write_bytes(c.slot(1), bytes.data(), bytes.size());
  c.give(bytes.size());
}

/// Where the file stands after a move, or minus one.
std::int64_t move(Call& c, std::uint32_t descriptor, std::int64_t offset, std::int64_t whence) {
  OpenFile& file = c.core.files.open_file(descriptor);
  if (file.kind != FileKind::Stored) {
    if (file.kind == FileKind::Unknown) c.core.account.unsupported("a move in a file that the program did not make");
    c.set_errno(ESPIPE);
    return -1;
  }
  const auto size = static_cast<std::int64_t>(c.core.files.stored(file).content.size());
  const auto here = static_cast<std::int64_t>(file.position) - (file.pushed >= 0 ? 1 : 0);
  const std::int64_t target = offset + (whence == 0 ? 0 : whence == 1 ? here : size);
  if (target < 0 || whence > 2) {
    c.set_errno(EINVAL);
    return -1;
  }
  file.position = static_cast<std::uint64_t>(target);
  file.pushed = -1;
  file.at_end = false;
  return target;
}

void seek_stream(Call& c) {
  const std::uint32_t descriptor = admitted(c, 0, true);
  if (descriptor != no_descriptor) c.give(move(c, descriptor, c.number(1), c.number(2)) < 0 ? minus_one : 0);
}
void tell_stream(Call& c) {
  const std::uint32_t descriptor = admitted(c, 0, true);
  if (descriptor != no_descriptor) c.give(static_cast<std::uint64_t>(move(c, descriptor, 0, 1)));
}
void seek_descriptor(Call& c) {
  const std::uint32_t descriptor = admitted(c, 0, false);
  if (descriptor != no_descriptor) c.give(static_cast<std::uint64_t>(move(c, descriptor, c.number(1), c.number(2))));
}

void clear_flags(Call& c) {
  const std::uint32_t descriptor = admitted(c, 0, true);
  if (descriptor == no_descriptor) return;
  c.core.files.open_file(descriptor).at_end = c.core.files.open_file(descriptor).failed = false;
}

template <bool OpenFile::* flag>
void give_flag(Call& c) {
  c.give(c.core.files.open_file(c.core.files.descriptor_of(c.slot(0))).*flag ? 1 : 0);
}

void remove_named(Call& c) {
  if (!may_change_files(c)) return;
  const int error = c.core.files.remove(c.text(0));
  if (error != 0) c.set_errno(error);
  c.give(error == 0 ? 0 : minus_one);
}

/// Streams have no buffer that anybody could see: null is all of them, anything else must be one.
void flush(Call& c) {
  if (c.slot(0).bits != 0) (void)c.core.files.descriptor_of(c.slot(0));
  c.doubt_result();
  c.give(0);
}
/// Nobody sees the buffer; the three ways to buffer are 0, 1 and 2.
void set_buffer(Call& c) {
  const bool is_one = c.count() < 3 || (c.number(2) >= 0 && c.number(2) <= 2);
  c.give(is_one ? 0 : minus_one);
}

constexpr NativeEntry file_table[] = {
    {"fopen", open_stream},
    {"fopen64", open_stream},
    {"tmpfile", open_temporary},
    {"open", open_descriptor},
    {"open64", open_descriptor},
    {"fclose", [](Call& c) { close_file(c, true); }},
    {"close", [](Call& c) { close_file(c, false); }},
    {"getchar", [](Call& c) { get_char(c, false); }},
    {"getchar_unlocked", [](Call& c) { get_char(c, false); }},
    {"getc", [](Call& c) { get_char(c, true); }},
    {"fgetc", [](Call& c) { get_char(c, true); }},
    {"getc_unlocked", [](Call& c) { get_char(c, true); }},
    {"_IO_getc", [](Call& c) { get_char(c, true); }},
    {"ungetc", unget_char},
    {"fgets", get_line},
    {"fgets_unlocked", get_line},
    {"getline", [](Call& c) { get_whole_line(c, 2, '\n'); }},
    {"getdelim", [](Call& c) { get_whole_line(c, 3, static_cast<int>(c.word(2) & 0xff)); }},
    {"fread", read_items},
    {"fread_unlocked", read_items},
    {"read", read_descriptor},
    {"fseek", seek_stream},
    {"fseeko", seek_stream},
    {"ftell", tell_stream},
    {"ftello", tell_stream},
    {"rewind",
     [](Call& c) {
       const std::uint32_t descriptor = admitted(c, 0, true);
       if (descriptor == no_descriptor) return;
       (void)move(c, descriptor, 0, 0);
       c.core.files.open_file(descriptor).failed = false;
     }},
    {"lseek", seek_descriptor},
    {"lseek64", seek_descriptor},
    {"feof", give_flag<&OpenFile::at_end>},
    {"ferror", give_flag<&OpenFile::failed>},
    {"feof_unlocked", give_flag<&OpenFile::at_end>},
    {"ferror_unlocked", give_flag<&OpenFile::failed>},
    {"clearerr", clear_flags},
    {"fileno", [](Call& c) { c.give(c.core.files.descriptor_of(c.slot(0))); }},
    {"remove", remove_named},
    {"unlink", remove_named},
    {"fflush", flush},
    {"fflush_unlocked", flush},
    {"setvbuf", set_buffer},
    {"setbuf", set_buffer},
    {"setlinebuf", set_buffer},
    {"flockfile", lock_stream},
    {"funlockfile", unlock_stream},
};

}  // namespace

std::span<const NativeEntry> file_natives() { return file_table; }

}  // namespace heddle::interpret
