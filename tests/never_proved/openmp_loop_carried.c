// An iteration reads what the next one writes.
// FLAGS: -fopenmp
int a[100];
int main(void) { 
#pragma omp parallel for
  for (int i = 0; i < 4; i++) a[i] = a[i+1] + 1;
  return a[3]; }
