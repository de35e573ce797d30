// Each thread of a team deals out the same iterations to a team of its own.
// FLAGS: -fopenmp
int a[8];
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 8; i++) a[i]++;
  }
  return 0;
}
