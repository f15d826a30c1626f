// What CodinGame gives to JavaScript bots: readline(), print() and printErr().
// Arena loads this file before the bot: node --require codingame.js bot.js
"use strict";
const fs = require("fs");

let buffer = "";

globalThis.readline = () => {
  const chunk = Buffer.alloc(65536);
  while (!buffer.includes("\n")) {
    let size = 0;
    try {
      size = fs.readSync(0, chunk);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      if (error.code !== "EOF") throw error;
    }
    if (size === 0) process.exit(0);  // the game is over
    buffer += chunk.toString("utf8", 0, size);
  }
  const end = buffer.indexOf("\n");
  const line = buffer.slice(0, end);
  buffer = buffer.slice(end + 1);
  return line;
};
globalThis.print = (...words) => { fs.writeSync(1, words.join(" ") + "\n"); };
globalThis.printErr = (...words) => { fs.writeSync(2, words.join(" ") + "\n"); };
