// A single region that comes again without a barrier may go to another thread.
// FLAGS: -fopenmp
int x, y;
int main(void) {
#pragma omp parallel num_threads(2)
  for (int t = 0; t < 2; t++) {
#pragma omp single nowait
    x++;
  }
  return 0;
}
