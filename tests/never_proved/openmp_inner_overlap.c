// The inner loop reaches into the row of the next iteration.
// FLAGS: -fopenmp
int a[8][5];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 6; j++) ((int *)a)[i * 5 + j]++;
  return 0;
}
