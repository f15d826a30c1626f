// A bot as CodinGame's template begins: readline() and print() are there. It plays 9x7.
const [myId, oppId] = readline().split(" ").map(Number);

while (true) {
  const turn = parseInt(readline());
  const board = [];
  for (let i = 0; i < 7; i++) board.push(readline());
  const actions = [];
  const count = parseInt(readline());
  for (let i = 0; i < count; i++) actions.push(parseInt(readline()));
  const last = parseInt(readline());
  printErr(turn, board[6], last);
  print(actions[actions.length - 1] === -2 ? "STEAL" : actions[0]);
}
