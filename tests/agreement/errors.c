// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// errno and strerror; perror writes to standard error only.
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void) { FILE *f = fopen("/nonexistent/heddle", "r"); printf("%d %d %s\n", f == 0, errno == ENOENT, strerror(errno)); perror("fopen"); errno = 0; printf("%s %s %d\n", strerror(EINVAL), strerror(0), errno); return 0; }
