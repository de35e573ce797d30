// An index of the loop before the barrier, used beside the next loop.
// FLAGS: -fopenmp
int a[8];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int k = 0;
    for (int t = 0; t < 2; t++) {
      a[k] = 1;
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < 8; i++) { k = i; a[i] = 2; }
#pragma omp barrier
    }
  }
  return 0;
}
