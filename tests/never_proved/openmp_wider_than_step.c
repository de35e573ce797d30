// What an iteration writes is wider than the step to the next.
// FLAGS: -fopenmp
#include <string.h>
char c[16];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++) *(short *)(c + i) = 1;
  return 0;
}
