// A loop that begins again without a barrier may be dealt out otherwise.
// FLAGS: -fopenmp
int a[8];
int main(void) {
#pragma omp parallel num_threads(2)
  for (int t = 0; t < 2; t++) {
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < 8; i++) a[i] += t;
  }
  return 0;
}
