// A thread counts the files that ftw shows it, without a lock, while main counts those of a directory.
// NOT-RUNNABLE: what it does depends on the files of the machine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>

static int files;

static int visit(const char *path, const struct stat *about, int kind) {
  files++;  // RACE! f1: main counts too
  return path == 0 || about == 0 || kind < 0;
}

static void *work(void *unused) {
  ftw("/tmp", visit, 3);
  return unused;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, 0, work, 0) != 0) return 1;
  DIR *const here = opendir(".");
  if (here != 0) {
    while (readdir(here) != 0) files++;  // RACE! f1: without a lock
    closedir(here);
  }
  pthread_join(t, 0);
  return 0;
}
