// Plays 4x4x4 by columns x,y: wins if it can, else takes the first open column. space [LEFTMOST]
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

static int cells[4][4][4], height[4][4];

static int at(int x, int y, int z) {
  return std::min({x, y, z}) < 0 || std::max({x, y, z}) > 3 ? 0 : cells[x][y][z];
}

static bool wins(int x, int y) {
  for (int a = -1; a <= 1; a++)
    for (int b = -1; b <= 1; b++)
      for (int c = -1; c <= 1; c++) {
        if (!a && !b && !c) continue;
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2)
          for (int k = 1; at(x + sign * k * a, y + sign * k * b, height[x][y] + sign * k * c) == 1; k++)
            length++;
        if (length >= 4) return true;
      }
  return false;
}

int main(int count, char **words) {
  int first = count > 1 ? std::atoi(words[1]) : 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line != "go!") {
      int x = std::atoi(line.c_str()) - first, y = std::atoi(line.c_str() + line.find(',') + 1) - first;
      cells[x][y][height[x][y]++] = 2;
    }
    int best = -1;
    for (int n = 0; n < 16; n++) {
      bool open = height[n / 4][n % 4] < 4;
      if (open && (best < 0 || (wins(n / 4, n % 4) && !wins(best / 4, best % 4)))) best = n;
    }
    int x = best / 4, y = best % 4;
    cells[x][y][height[x][y]++] = 1;
    std::cout << x + first << "," << y + first << std::endl;
  }
}
