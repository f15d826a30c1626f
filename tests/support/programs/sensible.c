/* A bot for every line dialect: wins, else blocks, else plays as near to the middle as it can.
   sensible DIALECT [COLUMNS ROWS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int columns = 7, rows = 6;
static char cells[64]; /* rows from the top */
static char line[4096];

static char at(int x, int y) {
  return x < 0 || y < 0 || x >= columns || y >= rows ? 0 : cells[y * columns + x];
}

static int landing(int x, char empty) {
  int y = rows - 1;
  while (y >= 0 && at(x, y) != empty) y--;
  return y;
}

static int wins(int x, char player, char empty) {
  static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  int y = landing(x, empty);
  for (int d = 0; d < 4; d++) {
    int length = 1, dx = steps[d][0], dy = steps[d][1];
    for (int k = 1; at(x + k * dx, y + k * dy) == player; k++) length++;
    for (int k = 1; at(x - k * dx, y - k * dy) == player; k++) length++;
    if (length >= 4) return 1;
  }
  return 0;
}

static int best(char me, char other, char empty) {
  int open[64], count = 0, middle = columns / 2;
  for (int off = 0; off <= columns; off++)
    for (int x = 0; x < columns; x++)
      if (abs(x - middle) == off && landing(x, empty) >= 0) open[count++] = x;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < count; i++)
      if (wins(open[i], side ? other : me, empty)) return open[i];
  return open[0];
}

static char *hear(void) {
  if (!fgets(line, sizeof line, stdin)) exit(0);
  line[strcspn(line, "\r\n")] = 0;
  return line;
}

static void play_by_words(int aigames) {
  char me = 0, empty = aigames ? '0' : '.';
  for (;;) {
    char name[64], value[2048];
    hear();
    if (sscanf(line, "settings %63s %2047s", name, value) == 2) {
      if (!strcmp(name, "your_botid")) me = value[0];
      if (!strcmp(name, aigames ? "field_columns" : "field_width")) columns = atoi(value);
      if (!strcmp(name, aigames ? "field_rows" : "field_height")) rows = atoi(value);
    } else if (sscanf(line, "update game field %2047s", value) == 1) {
      for (int i = 0; i < columns * rows; i++) cells[i] = value[2 * i];
    } else if (!strncmp(line, "action", 6)) {
      char other = (char)((aigames ? '3' : '1') - me + '0');
      printf("place_disc %d\n", best(me, other, empty));
      fflush(stdout);
    }
  }
}

static void play_codingame(void) {
  char me, other;
  sscanf(hear(), "%c %c", &me, &other);
  for (;;) {
    hear();
    for (int y = 0; y < rows; y++) memcpy(cells + y * columns, hear(), (size_t)columns);
    for (int count = atoi(hear()); count > 0; count--) hear();
    hear();
    printf("%d from C\n", best(me, other, '.'));
    fflush(stdout);
  }
}

static void play_lines(void) {
  memset(cells, '.', sizeof cells);
  for (;;) {
    hear();
    if (strcmp(line, "go!")) {
      int x = atoi(line);
      cells[landing(x, '.') * columns + x] = 'o';
    }
    int x = best('m', 'o', '.');
    cells[landing(x, '.') * columns + x] = 'm';
    printf("%d\n", x);
    fflush(stdout);
  }
}

int main(int count, char **words) {
  if (count > 3) columns = atoi(words[2]), rows = atoi(words[3]);
  if (!strcmp(words[1], "codingame")) play_codingame();
  if (!strcmp(words[1], "lines")) play_lines();
  play_by_words(!strcmp(words[1], "aigames"));
}
