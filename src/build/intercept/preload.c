// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library that `heddle capture -- BUILD` preloads into every process of the build. When a process starts whose name
// is a compiler's, it appends one record to the log (record.h). It changes nothing else, and whatever goes wrong here
// is told to heddle alone (log_writer.h): the build must run as it would without us. Statically linked compilers never
// load it.
//
// Since it looks at processes when they start, it does not matter who started them or how: make, ninja, a shell, by
// absolute path, with vfork or posix_spawn. Cost for a process that is no compiler: one read of /proc/self/cmdline.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler_name.h"
#include "log_writer.h"
#include "record.h"

enum { most_response_files = 64, most_response_bytes = 16 << 20 };

/// Pages of our own: malloc may belong to another preloaded library.
struct buffer {
  char* bytes;
  size_t size;
  size_t capacity;
};

static bool reserve(struct buffer* buffer, size_t more) {
  if (buffer->capacity - buffer->size >= more) return true;
  size_t capacity = buffer->capacity == 0 ? 65536 : buffer->capacity;
  while (capacity - buffer->size < more) capacity *= 2;
  void* bytes = buffer->bytes == NULL ? mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                      : mremap(buffer->bytes, buffer->capacity, capacity, MREMAP_MAYMOVE);
  if (bytes == MAP_FAILED) return false;
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}

static bool append(struct buffer* buffer, const void* bytes, size_t size) {
  if (!reserve(buffer, size)) return false;
  memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
  return true;
}

static bool append_file(struct buffer* buffer, int file, size_t most) {
  size_t total = 0;
  for (;;) {
    if (!reserve(buffer, 65536)) return false;
    const ssize_t got = read(file, buffer->bytes + buffer->size, 65536);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    buffer->size += (size_t)got;
    total += (size_t)got;
    if (total > most) return false;
  }
}

/// Response files are often gone when the build has ended. False: there is one, and it cannot be kept.
static bool append_response_file(struct buffer* record, const char* name, uint32_t* count) {
  struct stat status;
  const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ENAMETOOLONG;
  const size_t start = record->size;
  uint32_t sizes[2] = {(uint32_t)strlen(name), 0};
  bool fits = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && append(record, sizes, sizeof sizes) &&
              append(record, name, sizes[0]);
  const size_t text = record->size;
  fits = fits && append_file(record, file, most_response_bytes);
  close(file);
  if (!fits) {
    record->size = start;
    return false;
  }
  sizes[1] = (uint32_t)(record->size - text);
  memcpy(record->bytes + start, sizes, sizeof sizes);
  ++*count;
  return true;
}

static const char* file_name_of(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static bool is_named_compiler(const char* path, const char* more_names) {
  const char* name = file_name_of(path);
  const size_t length = strlen(name);
  if (heddle_is_compiler_name(name, length) || heddle_is_launcher_name(name, length)) return true;
  if (heddle_is_archiver_name(name, length)) return true;
  while (more_names != NULL && *more_names != '\0') {
    const size_t word = strcspn(more_names, ":");
    if (word == length && memcmp(more_names, name, length) == 0) return true;
    more_names += word + (more_names[word] == ':');
  }
  return false;
}

static bool has_argument(const char* arguments, size_t size, const char* wanted) {
  for (const char* at = arguments; at < arguments + size; at += strlen(at) + 1)
    if (strcmp(at, wanted) == 0) return true;
  return false;
}

static bool read_arguments(struct buffer* record) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool complete = append_file(record, file, INT_MAX);
  close(file);
  return complete;
}

/// Everything behind the header, and the header itself. False: not a compiler, or no record can be made; then `is_lost`
/// says whether there ought to be one.
static bool make_record(struct buffer* record, bool* is_lost) {
  struct heddle_record header = {HEDDLE_RECORD_MAGIC, 0, 0, (uint32_t)getpid(), 0, 0, 0};
  char folder[PATH_MAX];
  *is_lost = is_named_compiler(program_invocation_name, getenv(HEDDLE_NAMES_VARIABLE));  // as far as one can tell
  if (!append(record, &header, sizeof header) || !read_arguments(record)) return false;
  *is_lost = false;
  const size_t start = sizeof header;
  size_t size = record->size - start;
  if (size == 0 || !reserve(record, 1) || record->bytes[record->size - 1] != '\0') return false;
  if (!is_named_compiler(record->bytes + start, getenv(HEDDLE_NAMES_VARIABLE))) return false;
  const char* second = record->bytes + start + strlen(record->bytes + start) + 1;
  if (second < record->bytes + record->size && strncmp(second, "-cc1", 4) == 0) return false;  // clang's own inside
  *is_lost = true;
  if (getcwd(folder, sizeof folder) == NULL) return false;
  header.folder_size = (uint32_t)strlen(folder);
  header.arguments_size = (uint32_t)size;
  if (!reserve(record, header.folder_size)) return false;
  memmove(record->bytes + start + header.folder_size, record->bytes + start, size);
  memcpy(record->bytes + start, folder, header.folder_size);
  record->size += header.folder_size;
  const size_t arguments = start + header.folder_size;
  for (size_t at = arguments; at < arguments + size && header.response_file_count < most_response_files;
       at += strlen(record->bytes + at) + 1) {
    char name[PATH_MAX];
    if (record->bytes[at] != '@' || strlen(record->bytes + at) > sizeof name) continue;
    strcpy(name, record->bytes + at + 1);  // the record may move
    if (!append_response_file(record, name, &header.response_file_count)) heddle_note_lost(errno, -1);
  }
  header.size = (uint32_t)(record->size - sizeof header);
  header.checksum = heddle_checksum(record->bytes + sizeof header, header.size);
  memcpy(record->bytes, &header, sizeof header);
  return true;
}

/// `heddle capture --record`: a compile step becomes `heddle cc`, which logs it and makes an empty object. Comes back
/// only if that program cannot be started.
static void become_recorder(const char* recorder, const struct buffer* record) {
  const struct heddle_record* header = (const struct heddle_record*)record->bytes;
  char* arguments = record->bytes + sizeof *header + header->folder_size;
  if (heddle_is_archiver_name(file_name_of(arguments), strlen(file_name_of(arguments)))) return;
  if (!has_argument(arguments, header->arguments_size, "-c") && header->response_file_count == 0) return;
  char real[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", real, sizeof real - 1);
  if (length <= 0) return;
  real[length] = '\0';
  size_t count = 0;
  for (const char* at = arguments; at < arguments + header->arguments_size; at += strlen(at) + 1) ++count;
  const size_t bytes = (count + 3) * sizeof(char*);
  char** values = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (values == MAP_FAILED || setenv(HEDDLE_REAL_VARIABLE, real, 1) != 0) return;
  size_t used = 0;
  values[used++] = "heddle";
  values[used++] = "cc";
  for (char* at = arguments; at < arguments + header->arguments_size; at += strlen(at) + 1) values[used++] = at;
  execv(recorder, values);
  unsetenv(HEDDLE_REAL_VARIABLE);
  munmap(values, bytes);
}

__attribute__((constructor)) static void note_process(void) {
  const char* log = getenv(HEDDLE_LOG_VARIABLE);
  if (log == NULL || getenv(HEDDLE_INSIDE_VARIABLE) != NULL) return;
  const int saved = errno;
  struct buffer record = {NULL, 0, 0};
  bool is_lost = false;
  if (make_record(&record, &is_lost) && setenv(HEDDLE_INSIDE_VARIABLE, "1", 1) == 0) {
    const char* recorder = getenv(HEDDLE_RECORDER_VARIABLE);
    if (recorder != NULL) become_recorder(recorder, &record);
    heddle_append_records(log, record.bytes, record.size);
  } else if (is_lost) {
    heddle_note_lost(errno, -1);
  }
  if (record.bytes != NULL) munmap(record.bytes, record.capacity);
  errno = saved;
}
