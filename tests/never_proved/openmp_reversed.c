// Two iterations meet in the middle.
// FLAGS: -fopenmp
int a[8];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++) a[7 - i] = a[i] + 1;
  return 0;
}
