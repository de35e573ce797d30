// A loop that reads what the loop before it, without a barrier, writes.
// FLAGS: -fopenmp
int a[8], b[8];
int main(void) { 
#pragma omp parallel num_threads(2)
 {
#pragma omp for nowait
 for (int i = 0; i < 4; i++) a[i] = i;
#pragma omp for
 for (int i = 0; i < 4; i++) b[i] = a[3-i];
 }
  return b[0]; }
