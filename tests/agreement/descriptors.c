// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// open, read, write, lseek, close.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char name[64], b[16] = ""; snprintf(name, sizeof name, "/tmp/heddle_agreement_%d_d", (int)getpid());
  int d = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600); if (d < 0) return 1;
  printf("%zd %zd\n", write(d, "hello world", 11), write(d, "!", 1));
  printf("%ld\n", (long)lseek(d, 6, SEEK_SET)); printf("%zd %s\n", read(d, b, 15), b);
  printf("%zd\n", read(d, b, 15)); close(d); unlink(name); printf("%d\n", open(name, O_RDONLY));
  return 0;
}
