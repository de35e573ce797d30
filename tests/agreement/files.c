// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that the program writes and reads again.
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char name[64]; snprintf(name, sizeof name, "/tmp/heddle_agreement_%d", (int)getpid());
  FILE *f = fopen(name, "w"); if (!f) return 1;
  fprintf(f, "line %d\n", 1); fputs("line 2\n", f); fwrite("abc", 1, 3, f); printf("%ld\n", ftell(f)); fclose(f);
  f = fopen(name, "r"); char line[32]; while (fgets(line, sizeof line, f)) printf("<%s>", line);
  printf(" %d\n", feof(f) != 0); rewind(f); int a = 0; printf("%d %d\n", fscanf(f, "line %d", &a), a);
  fseek(f, -3, SEEK_END); char b[4] = ""; printf("%zu %s\n", fread(b, 1, 4, f), b); fclose(f);
  f = fopen(name, "a+"); fputc('!', f); fseek(f, 0, SEEK_SET); printf("%c%c\n", fgetc(f), fgetc(f)); fclose(f);
  f = fopen(name, "r+"); fputs("LINE", f); fclose(f); f = fopen(name, "r"); fgets(line, 32, f); printf("%s", line); fclose(f);
  printf("%d %d\n", remove(name), fopen(name, "r") == NULL);
  return 0;
}
