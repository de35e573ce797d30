// Two iterations have one index after a cast.
// FLAGS: -fopenmp
int a[256];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 300; i++) a[(unsigned char)i]++;
  return 0;
}
