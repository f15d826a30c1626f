// A bot for every line dialect: wins, else blocks, else plays as near to the middle as it can.
// node sensible.js DIALECT [COLUMNS ROWS]
"use strict";
const readline = require("readline");

const [dialect, width = "7", height = "6"] = process.argv.slice(2);
let columns = Number(width), rows = Number(height);
let cells = [];  // rows from the top, one after the other

const clear = () => { cells = Array(columns * rows).fill(null); };
const fill = (symbols, empty) => { cells = symbols.map(s => (s === empty ? null : s)); };
const at = (x, y) => (x < 0 || y < 0 || x >= columns || y >= rows ? null : cells[y * columns + x]);

function landing(x) {
  let y = rows - 1;
  while (y >= 0 && at(x, y) !== null) y--;
  return y;
}

function wins(x, player) {
  const y = landing(x);
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dx, dy]) => {
    let length = 1;
    for (const sign of [1, -1])
      for (let k = 1; at(x + sign * k * dx, y + sign * k * dy) === player; k++) length++;
    return length >= 4;
  });
}

function best(me, other) {
  const middle = Math.floor(columns / 2);
  const open = [...Array(columns).keys()].filter(x => landing(x) >= 0);
  open.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
  for (const player of [me, other])
    for (const x of open) if (wins(x, player)) return x;
  return open[0];
}

const drop = (x, player) => { cells[landing(x) * columns + x] = player; };

const settings = {};
function heardWords(line) {
  const words = line.split(/\s+/);
  if (words[0] === "settings") settings[words[1]] = words[2];
  else if (words[2] === "field") {
    columns = Number(settings.field_columns || settings.field_width);
    rows = Number(settings.field_rows || settings.field_height);
    fill(words[3].split(/[,;]/), dialect === "aigames" ? "0" : ".");
  } else if (words[0] === "action") {
    const me = settings.your_botid;
    const other = String((dialect === "aigames" ? 3 : 1) - Number(me));
    console.log("place_disc " + best(me, other));
  }
}

let ids = null, turn = [];
function heardCodinGame(line) {
  if (ids === null) { ids = line.split(" "); return; }
  turn.push(line);
  if (turn.length < rows + 2 || turn.length < rows + 3 + Number(turn[rows + 1])) return;
  fill(turn.slice(1, rows + 1).join("").split(""), ".");
  turn = [];
  console.log(best(ids[0], ids[1]) + " from node");
}

function heardLine(line) {
  if (line !== "go!") drop(Number(line), "other");
  const x = best("me", "other");
  drop(x, "me");
  console.log(String(x));
}

clear();
const heard = { codingame: heardCodinGame, lines: heardLine }[dialect] || heardWords;
readline.createInterface({ input: process.stdin }).on("line", heard);
