/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names of files and folders: threads can tell each other something by making, removing and asking for them.
 *
 *   T1: x = 1; close(creat("done", 0600))      T2: if (access("done", F_OK) == 0) x = 2
 *
 * All names, and the content of files that the program has made, are one object. Whoever changes something is seen by
 * everybody who looks; two who look do not see each other. Nothing of it orders what threads do in memory.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "runtime.h"

int heddle_status(int folder, const char* path, struct stat* to, int flags) {
  HEDDLE_REAL(int, fstatat, (int, const char*, struct stat*, int));
  return real(folder, path, to, flags);
}
int heddle_status_of(int descriptor, struct stat* to) { return heddle_status(descriptor, "", to, AT_EMPTY_PATH); }

void heddle_look_at(uint64_t object) {
  if (heddle_goes_freely()) return;
  heddle_stop_before(HEDDLE_OP_LOOK, object, 0);
  heddle_machine.left_traces = 1; /* somebody may wait for a file, and that is not to spin */
  heddle_add_sync(HEDDLE_DEED_USES, (const void*)(uintptr_t)object, 0);
}
void heddle_change_names(void) {
  if (heddle_goes_freely()) return;
  heddle_stop_for(heddle_made_files, NULL, NULL);
  heddle_order_by(heddle_made_files, 1, 1);
}

#define LOOKS(type, name, parameters, types, arguments) \
  HEDDLE_EXPORT type name parameters {                  \
    HEDDLE_REAL(type, name, types);                     \
    heddle_look_at(heddle_made_files);                  \
    return real arguments;                              \
  }

LOOKS(int, access, (const char* path, int mode), (const char*, int), (path, mode))
LOOKS(int, eaccess, (const char* path, int mode), (const char*, int), (path, mode))
LOOKS(int, euidaccess, (const char* path, int mode), (const char*, int), (path, mode))
LOOKS(int, faccessat, (int folder, const char* path, int mode, int flags), (int, const char*, int, int),
      (folder, path, mode, flags))
#define LOOKS_AT(name, status) \
  LOOKS(int, name, (const char* restrict path, struct status* restrict to), (const char*, struct status*), (path, to))
LOOKS_AT(stat, stat)
LOOKS_AT(lstat, stat)
LOOKS_AT(stat64, stat64)
LOOKS_AT(lstat64, stat64)
LOOKS_AT(statfs, statfs)
LOOKS(int, fstatat, (int folder, const char* restrict path, struct stat* restrict to, int flags),
      (int, const char*, struct stat*, int), (folder, path, to, flags))
LOOKS(int, fstatat64, (int folder, const char* restrict path, struct stat64* restrict to, int flags),
      (int, const char*, struct stat64*, int), (folder, path, to, flags))
LOOKS(int, statx, (int folder, const char* restrict path, int flags, unsigned mask, struct statx* restrict to),
      (int, const char*, int, unsigned, struct statx*), (folder, path, flags, mask, to))
LOOKS(ssize_t, readlink, (const char* restrict path, char* restrict to, size_t n), (const char*, char*, size_t),
      (path, to, n))
LOOKS(ssize_t, readlinkat, (int folder, const char* restrict path, char* restrict to, size_t n),
      (int, const char*, char*, size_t), (folder, path, to, n))
LOOKS(char*, realpath, (const char* restrict path, char* restrict to), (const char*, char*), (path, to))
LOOKS(DIR*, opendir, (const char* path), (const char*), (path))
LOOKS(DIR*, fdopendir, (int fd), (int), (fd))
LOOKS(struct dirent*, readdir, (DIR* folder), (DIR*), (folder))
LOOKS(struct dirent64*, readdir64, (DIR* folder), (DIR*), (folder))
typedef int (*chooses)(const struct dirent*);
typedef int (*orders)(const struct dirent**, const struct dirent**);
LOOKS(int, scandir, (const char* restrict path, struct dirent*** restrict to, chooses one, orders two),
      (const char*, struct dirent***, chooses, orders), (path, to, one, two))
typedef int (*on_error)(const char*, int);
LOOKS(int, glob, (const char* restrict pattern, int flags, on_error call, glob_t* restrict to),
      (const char*, int, on_error, glob_t*), (pattern, flags, call, to))
LOOKS(int, ftw, (const char* path, __ftw_func_t call, int most), (const char*, __ftw_func_t, int), (path, call, most))
LOOKS(int, nftw, (const char* path, __nftw_func_t call, int most, int flags), (const char*, __nftw_func_t, int, int),
      (path, call, most, flags))

/* What is written to a file shows in its size. */
#define LOOKS_INTO(name, status)                       \
  HEDDLE_EXPORT int name(int fd, struct status* to) {  \
    HEDDLE_REAL(int, name, (int, struct status*));     \
    if (heddle_goes_freely()) return real(fd, to);     \
    heddle_look_at(heddle_object_of_descriptor(fd));   \
    return real(fd, to);                               \
  }
LOOKS_INTO(fstat, stat)
LOOKS_INTO(fstat64, stat64)

/* Changes that nobody takes back at a restart. */
#define CHANGES_FOR_GOOD(name, parameters, types, arguments) \
  HEDDLE_EXPORT int name parameters {                        \
    HEDDLE_REAL(int, name, types);                           \
    heddle_change_names();                                   \
    const int status = real arguments;                       \
    if (status == 0) heddle_note_changed_file();             \
    return status;                                           \
  }
CHANGES_FOR_GOOD(chmod, (const char* path, mode_t mode), (const char*, mode_t), (path, mode))
CHANGES_FOR_GOOD(fchmod, (int fd, mode_t mode), (int, mode_t), (fd, mode))
CHANGES_FOR_GOOD(chown, (const char* path, uid_t user, gid_t group), (const char*, uid_t, gid_t), (path, user, group))
CHANGES_FOR_GOOD(mkfifo, (const char* path, mode_t mode), (const char*, mode_t), (path, mode))
CHANGES_FOR_GOOD(mkdirat, (int folder, const char* path, mode_t mode), (int, const char*, mode_t),
                 (folder, path, mode))
CHANGES_FOR_GOOD(unlinkat, (int folder, const char* path, int flags), (int, const char*, int), (folder, path, flags))
CHANGES_FOR_GOOD(renameat, (int a, const char* from, int b, const char* to), (int, const char*, int, const char*),
                 (a, from, b, to))
CHANGES_FOR_GOOD(linkat, (int a, const char* from, int b, const char* to, int flags),
                 (int, const char*, int, const char*, int), (a, from, b, to, flags))
CHANGES_FOR_GOOD(symlinkat, (const char* from, int folder, const char* to), (const char*, int, const char*),
                 (from, folder, to))
