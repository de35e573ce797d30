// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strtol, strtoul, strtod: bases, ends, errors.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const char *texts[] = {"42", "  -17abc", "0x1F", "077", "99999999999999999999", "-99999999999999999999", "", "zz", "1e3", "+5", "0xg", "101"};
  for (int i = 0; i < 12; i++) { char *e; errno = 0; long v = strtol(texts[i], &e, 0); printf("%ld %ld %d | ", v, (long)(e - texts[i]), errno);
    errno = 0; unsigned long u = strtoul(texts[i], &e, 16); printf("%lu %ld %d | ", u, (long)(e - texts[i]), errno);
    errno = 0; double d = strtod(texts[i], &e); printf("%g %ld %d\n", d, (long)(e - texts[i]), errno); }
  printf("%ld %ld %d %ld %lld %g\n", strtol("101", 0, 2), strtol("zz", 0, 36), atoi("12x"), atol("-8"), atoll("123456789012"), atof("2.5e1"));
  return 0;
}
