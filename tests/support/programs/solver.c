/* Reads positions as Pons' solver does, one line of columns from 1, and searches some plies.
   solver score|scores|move|bare|crash [COLUMNS ROWS [PLIES]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int columns = 7, rows = 6, limit = 7;
static char cells[16][16];
static int height[16], discs;

static int wins(int x, char player) {
  static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  for (int d = 0; d < 4; d++) {
    int length = 1;
    for (int sign = -1; sign <= 1; sign += 2)
      for (int k = 1;; k++) {
        int i = x + sign * k * steps[d][0], j = height[x] + sign * k * steps[d][1];
        if (i < 0 || j < 0 || i >= columns || j >= rows || cells[i][j] != player) break;
        length++;
      }
    if (length >= 4) return 1;
  }
  return 0;
}

static void drop(int x) { cells[x][height[x]++] = (char)(1 + discs++ % 2); }
static void lift(int x) { cells[x][--height[x]] = 0; discs--; }

/* The score as Pons counts it: how many of one's discs are left after the win, and one more. */
static int negamax(int depth, int alpha, int beta) {
  if (discs == columns * rows || depth == 0) return 0;
  for (int x = 0; x < columns; x++)
    if (height[x] < rows && wins(x, (char)(1 + discs % 2))) return (columns * rows + 1 - discs) / 2;
  for (int x = 0; x < columns && alpha < beta; x++)
    if (height[x] < rows) {
      drop(x);
      int score = -negamax(depth - 1, -beta, -alpha);
      lift(x);
      if (score > alpha) alpha = score;
    }
  return alpha;
}

static int score_of(int x) {
  if (height[x] >= rows) return -1000;
  if (wins(x, (char)(1 + discs % 2))) return (columns * rows + 1 - discs) / 2;
  drop(x);
  int score = -negamax(limit - 1, -1000, 1000);
  lift(x);
  return score;
}

int main(int count, char **words) {
  char line[1024];
  if (count > 3) columns = atoi(words[2]), rows = atoi(words[3]);
  if (count > 4) limit = atoi(words[4]);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\r\n")] = 0;
    memset(cells, 0, sizeof cells), memset(height, 0, sizeof height), discs = 0;
    for (char *x = line; *x; x++) drop(*x - '1');
    if (!strcmp(words[1], "crash")) return 3;
    if (!strcmp(words[1], "score")) printf("%s %d\n", line, negamax(limit, -1000, 1000));
    if (!strcmp(words[1], "scores") || !strcmp(words[1], "bare")) {
      if (words[1][0] == 's') printf("%s ", line);
      for (int x = 0; x < columns; x++) printf("%d ", score_of(x));
      printf("\n");
    }
    if (!strcmp(words[1], "move")) {
      int best = 0;
      for (int x = 1; x < columns; x++)
        if (score_of(x) > score_of(best)) best = x;
      printf("%d\n", best + 1);
    }
    fflush(stdout);
  }
}
