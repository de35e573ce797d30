// Two threads walk over files, main reads a directory: what the callback does is seen.
// NOT-RUNNABLE: what it does depends on the files of the machine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int files;

static int visit(const char *path, const struct stat *about, int kind) {
  pthread_mutex_lock(&m);
  files += about->st_size > 3 && kind == FTW_F;  // NORACE: under m
  pthread_mutex_unlock(&m);
  return path[0] == 'x';
}

static void *work(void *unused) {
  ftw("/tmp", visit, 3);
  return unused;
}

int main(void) {
  pthread_t one, other;
  if (pthread_create(&one, 0, work, 0) != 0 || pthread_create(&other, 0, work, 0) != 0) return 1;
  pthread_join(one, 0);
  pthread_join(other, 0);
  struct dirent **list;
  const int count = scandir(".", &list, 0, alphasort);
  for (int i = 0; i < count; i++) {
    files += list[i]->d_name[0];
    free(list[i]);
  }
  if (count >= 0) free(list);
  return files;  // NORACE: nobody else is there any more
}
