// What comes behind the barrier is in one phase with what comes before it in the next turn.
// FLAGS: -fopenmp
int x, y;
int main(void) {
#pragma omp parallel num_threads(2)
  for (int t = 0; t < 3; t++) {
#pragma omp critical
    y += x;
#pragma omp barrier
#pragma omp master
    x++;
  }
  return 0;
}
