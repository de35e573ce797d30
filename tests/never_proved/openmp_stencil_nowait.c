// A stencil without the barrier at the end of its second loop.
// FLAGS: -fopenmp
double a[64], b[64];
int main(void) {
#pragma omp parallel
  for (int t = 0; t < 10; t++) {
#pragma omp for
    for (int i = 1; i < 63; i++) b[i] = (a[i - 1] + a[i + 1]) / 2;
#pragma omp for nowait
    for (int i = 1; i < 63; i++) a[i] = b[i];
  }
  return 0;
}
