/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Files and folders that the program makes are gone at a restart, so that the next execution can make them again. What
 * it changes otherwise stays changed: then executions are not alike, and nothing is proved.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime.h"

enum { most_made = 256, longest_path = 512 };

/* A restart leaves it. */
static struct heddle_made {
  unsigned count;
  struct {
    char path[longest_path];
    int is_folder;
    ino_t number;
  } all[most_made];
} made;

void heddle_set_up_files(void) { heddle_keep(&made, sizeof made); }

void heddle_note_changed_file(void) {
  if (!heddle_is_controlled()) return;
  heddle_machine.acts_outside = 1;
  heddle_note_open_end("the program changes files that were there before");
}

static void note_made(const char* path, int is_folder) {
  heddle_machine.acts_outside = 1;
  char* const whole = path[0] == '/' ? NULL : getcwd(NULL, 0);
  const size_t length = (whole == NULL ? 0 : strlen(whole) + 1) + strlen(path);
  if (made.count == most_made || length >= longest_path) {
    heddle_note_open_end("the program makes very many files");
  } else {
    struct stat status = {.st_ino = 0};
    heddle_status(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW);
    made.all[made.count].number = status.st_ino;
    made.all[made.count].is_folder = is_folder;
    snprintf(made.all[made.count++].path, longest_path, "%s%s%s", whole == NULL ? "" : whole, whole == NULL ? "" : "/",
             path);
  }
  free(whole);
}

int heddle_is_made(ino_t number) {
  for (unsigned i = 0; i < made.count; ++i)
    if (made.all[i].number == number) return 1;
  return 0;
}

void heddle_restart_files(void) {
  while (made.count > 0) {
    --made.count;
    if (made.all[made.count].is_folder) rmdir(made.all[made.count].path);
    if (!made.all[made.count].is_folder) unlink(made.all[made.count].path);
  }
}

/* True: it was made in this execution. */
static int is_made(const char* path) {
  struct stat wanted, one;
  if (heddle_status(AT_FDCWD, path, &wanted, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  for (unsigned i = 0; i < made.count; ++i)
    if (heddle_status(AT_FDCWD, made.all[i].path, &one, AT_SYMLINK_NOFOLLOW) == 0 && one.st_ino == wanted.st_ino && one.st_dev == wanted.st_dev) return 1;
  return 0;
}

static int is_there(const char* path) {
  struct stat status;
  return heddle_status(AT_FDCWD, path, &status, 0) == 0;
}

/* Whoever opens it for writing: what becomes of it? To be asked before; `is_new` after. */
struct opening {
  int writes, is_there;
};
static struct opening begin_opening(int folder, const char* path, int writes, int makes) {
  struct stat status;
  struct opening opening = {0, 1};
  if (!heddle_is_controlled() || (!writes && !makes)) return opening;
  opening.writes = 1;
  opening.is_there = heddle_status(folder, path, &status, 0) == 0;
  if (opening.is_there && S_ISREG(status.st_mode) && writes && !is_made(path)) heddle_note_changed_file();
  return opening;
}
static void end_opening(const struct opening* opening, int folder, const char* path, int is_open) {
  if (!opening->writes || opening->is_there || !is_open) return;
  const int error = errno;
  if (folder != AT_FDCWD && path[0] != '/') heddle_note_changed_file();
  if (folder == AT_FDCWD || path[0] == '/') note_made(path, 0);
  errno = error;
}
static void stand_before_opening(int makes) {
  if (makes)
    heddle_change_names();
  else
    heddle_look_at(heddle_made_files);
}
static void look_at_name(const char* path) {
  if (heddle_is_controlled() && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0))
    heddle_note_open_end("random numbers are read from a device");
}

static int open_file(int folder, const char* path, int flags, mode_t mode) {
  static int (*real)(int, const char*, int, ...);
  if (real == NULL) real = (int (*)(int, const char*, int, ...))(uintptr_t)heddle_real("openat");
  look_at_name(path);
  heddle_test_cancel();
  stand_before_opening((flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE);
  const int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
  const struct opening opening = begin_opening(folder, path, writes, (flags & O_CREAT) != 0);
  const int descriptor = real(folder, path, flags, mode);
  end_opening(&opening, folder, path, descriptor >= 0);
  return descriptor;
}
static mode_t mode_in(va_list arguments, int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}
#define OPEN(name)                                            \
  HEDDLE_EXPORT int name(const char* path, int flags, ...) {  \
    va_list arguments;                                        \
    va_start(arguments, flags);                               \
    const mode_t mode = mode_in(arguments, flags);            \
    va_end(arguments);                                        \
    return open_file(AT_FDCWD, path, flags, mode);            \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                     \
  HEDDLE_EXPORT int name(int folder, const char* path, int flags, ...) { \
    va_list arguments;                                                   \
    va_start(arguments, flags);                                          \
    const mode_t mode = mode_in(arguments, flags);                       \
    va_end(arguments);                                                   \
    return open_file(folder, path, flags, mode);                         \
  }
OPENAT(openat)
OPENAT(openat64)
HEDDLE_EXPORT int creat(const char* path, mode_t mode) {
  return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static FILE* open_stream(FILE* (*real)(const char*, const char*), const char* path, const char* mode) {
  look_at_name(path);
  stand_before_opening(mode[0] != 'r');
  const int writes = strpbrk(mode, "wa+") != NULL;
  const struct opening opening = begin_opening(AT_FDCWD, path, writes, mode[0] != 'r');
  FILE* const stream = real(path, mode);
  end_opening(&opening, AT_FDCWD, path, stream != NULL);
  return stream;
}
#define FOPEN(name)                                                                                      \
  HEDDLE_EXPORT FILE* name(const char* restrict path, const char* restrict mode) {                       \
    static FILE* (*real)(const char*, const char*);                                                      \
    if (real == NULL) real = (FILE * (*)(const char*, const char*))(uintptr_t)heddle_real(#name);        \
    return open_stream(real, path, mode);                                                                \
  }
FOPEN(fopen)
FOPEN(fopen64)

static FILE* reopen_stream(const char* path, const char* mode, FILE* stream, const char* name) {
  FILE* (*const real)(const char*, const char*, FILE*) =
      (FILE * (*)(const char*, const char*, FILE*))(uintptr_t)heddle_real(name);
  if (!heddle_is_controlled() || path == NULL) return real(path, mode, stream);
  heddle_note_moved_descriptor();
  stand_before_opening(mode[0] != 'r');
  const struct opening opening = begin_opening(AT_FDCWD, path, strpbrk(mode, "wa+") != NULL, mode[0] != 'r');
  FILE* const fresh = real(path, mode, stream);
  end_opening(&opening, AT_FDCWD, path, fresh != NULL);
  return fresh;
}
HEDDLE_EXPORT FILE* freopen(const char* restrict path, const char* restrict mode, FILE* restrict stream) {
  return reopen_stream(path, mode, stream, "freopen");
}
HEDDLE_EXPORT FILE* freopen64(const char* restrict path, const char* restrict mode, FILE* restrict stream) {
  return reopen_stream(path, mode, stream, "freopen64");
}
HEDDLE_EXPORT int fclose(FILE* stream) {
  static int (*real)(FILE*);
  if (real == NULL) real = (int (*)(FILE*))(uintptr_t)heddle_real("fclose");
  if (heddle_is_controlled()) heddle_note_moved_descriptor();
  return real(stream);
}

/* Names of temporary files: the first ones that are free, and not random ones. */
static int make_name(char* pattern, size_t behind, int (*make)(const char*)) {
  const size_t length = strlen(pattern);
  char* const letters = length < behind + 6 ? NULL : pattern + length - behind - 6;
  if (letters == NULL || memcmp(letters, "XXXXXX", 6) != 0) {
    errno = EINVAL;
    return -1;
  }
  for (unsigned number = 0; number < 1000000; ++number) {
    for (unsigned i = 0, rest = number; i < 6; ++i, rest /= 10) letters[5 - i] = (char)('0' + rest % 10);
    const int result = make(pattern);
    if (result >= 0 || errno != EEXIST) return result;
  }
  return -1;
}
static int make_file(const char* path) { return open(path, O_CREAT | O_EXCL | O_RDWR, 0600); }
static int make_folder(const char* path) { return mkdir(path, 0700); }
HEDDLE_EXPORT int mkstemp(char* pattern) { return make_name(pattern, 0, make_file); }
HEDDLE_EXPORT int mkstemp64(char* pattern) { return make_name(pattern, 0, make_file); }
HEDDLE_EXPORT int mkstemps(char* pattern, int behind) { return make_name(pattern, (size_t)behind, make_file); }
HEDDLE_EXPORT char* mkdtemp(char* pattern) { return make_name(pattern, 0, make_folder) < 0 ? NULL : pattern; }

HEDDLE_EXPORT int mkdir(const char* path, mode_t mode) {
  static int (*real)(const char*, mode_t);
  if (real == NULL) real = (int (*)(const char*, mode_t))(uintptr_t)heddle_real("mkdir");
  heddle_change_names();
  const int status = real(path, mode);
  if (status == 0 && heddle_is_controlled()) note_made(path, 1);
  return status;
}

/* Of one path: what was made in this execution may go. */
#define REMOVES(name)                                                                   \
  HEDDLE_EXPORT int name(const char* path) {                                            \
    static int (*real)(const char*);                                                    \
    if (real == NULL) real = (int (*)(const char*))(uintptr_t)heddle_real(#name);       \
    heddle_change_names();                                                              \
    if (heddle_is_controlled() && !is_made(path) && is_there(path)) heddle_note_changed_file(); \
    return real(path);                                                                  \
  }
REMOVES(unlink)
REMOVES(rmdir)
REMOVES(remove)

/* Of two: the second one is made. */
#define MAKES(name)                                                                            \
  HEDDLE_EXPORT int name(const char* from, const char* to) {                                   \
    static int (*real)(const char*, const char*);                                              \
    if (real == NULL) real = (int (*)(const char*, const char*))(uintptr_t)heddle_real(#name); \
    heddle_change_names();                                                                     \
    const int was_there = heddle_is_controlled() && is_there(to);                              \
    const int moves = heddle_is_controlled() && strcmp(#name, "rename") == 0 && !is_made(from);   \
    if ((was_there && !is_made(to)) || moves) heddle_note_changed_file();                                    \
    const int status = real(from, to);                                                         \
    if (status == 0 && heddle_is_controlled() && !was_there) note_made(to, 0);                     \
    return status;                                                                             \
  }
MAKES(rename)
MAKES(link)
MAKES(symlink)

HEDDLE_EXPORT int truncate(const char* path, off_t size) {
  static int (*real)(const char*, off_t);
  if (real == NULL) real = (int (*)(const char*, off_t))(uintptr_t)heddle_real("truncate");
  heddle_change_names();
  if (heddle_is_controlled() && !is_made(path)) heddle_note_changed_file();
  return real(path, size);
}
HEDDLE_EXPORT int chdir(const char* path) {
  static int (*real)(const char*);
  if (real == NULL) real = (int (*)(const char*))(uintptr_t)heddle_real("chdir");
  if (heddle_is_controlled()) heddle_note_open_end("the program changes its folder");
  return real(path);
}
