// Two loops without a barrier between them: the default schedule may differ.
// FLAGS: -fopenmp
int a[8], b[8];
int main(void) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 8; i++) a[i] = i;
#pragma omp for
    for (int i = 0; i < 8; i++) b[i] = a[i];
  }
  return 0;
}
