"use strict";
const $ = id => document.getElementById(id);
const make = (tag, text, kind) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;  // never markup: names are anybody's
  if (kind) element.className = kind;
  return element;
};

// Light or dark: as the system says, until the reader says otherwise; paper is white.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
try { chosen = localStorage.getItem("theme"); } catch { /* not allowed to remember */ }
const dress = () => { root.dataset.theme = chosen || (system.matches ? "dark" : "light"); };
dress();
system.addEventListener("change", dress);
$("theme").addEventListener("click", () => {
  chosen = root.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("theme", chosen); } catch { /* then it is forgotten */ }
  dress();
});
addEventListener("beforeprint", () => { root.dataset.theme = "light"; });
addEventListener("afterprint", dress);

// Tables sort by a click on a heading: numbers by value, words by letter, unknown ones last.
const key = cell => {
  if ("v" in cell.dataset) return Number(cell.dataset.v);
  return cell.classList.contains("number") ? null : cell.textContent;
};
const compare = (a, b) => typeof a === "number" && typeof b === "number"
  ? a - b : String(a).localeCompare(String(b), undefined, {numeric: true});
function sortBy(heading) {
  const body = heading.closest("table").tBodies[0], place = heading.cellIndex;
  const before = heading.getAttribute("aria-sort");  // numbers begin with the largest
  const sign = before ? (before === "descending" ? 1 : -1) : heading.className === "number" ? -1 : 1;
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const rows = [...body.rows].map(row => [key(row.cells[place]), row]);
  rows.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : sign * compare(a, b));
  body.append(...rows.map(([, row]) => row));
}
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => sortBy(button.parentNode));

// Games.
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const FIELDS = ["number", "round", "first", "second", "result", "reason", "opening", "moves",
  "detail", "micros", "scores", "depths", "nodes"];
const PAGE = 100;

function viewer({rules, names, reasons, games}) {
  const {width, depth, height, connect} = rules;
  const all = games.map(list => Object.fromEntries(FIELDS.map((name, at) => [name, list[at]])));
  let game = all[0], ply = 0, timer = null, found = all, shown = PAGE;

  // Steps of every direction once, and cells in a row through the last disc.
  const steps = [];
  for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1])
    if (x > 0 || (x === 0 && (y > 0 || (y === 0 && z > 0)))) steps.push([x, y, z]);
  const at = (x, y, z) => `${x},${y},${z}`;

  function position(columns) {
    const heights = {}, discs = new Map();
    let last = null;
    columns.forEach((column, index) => {
      const x = Math.floor(column / depth), y = column % depth, z = heights[column] || 0;
      heights[column] = z + 1;
      last = [x, y, z];
      discs.set(at(...last), "XO"[index % 2]);
    });
    return {discs, last};
  }

  function wonBy(discs, last) {
    const won = new Set();
    if (!last) return won;
    const mine = discs.get(at(...last));
    for (const [dx, dy, dz] of steps) {
      const run = [at(...last)];
      for (const sign of [1, -1])
        for (let n = 1; ; n++) {
          const cell = at(last[0] + sign * n * dx, last[1] + sign * n * dy, last[2] + sign * n * dz);
          if (discs.get(cell) !== mine) break;
          run.push(cell);
        }
      if (run.length >= connect) run.forEach(cell => won.add(cell));
    }
    return won;
  }

  function grid(cells, across, {discs, won, lastCell}) {
    const box = make("div");
    box.style.gridTemplateColumns = `repeat(${across}, 1fr)`;
    for (const cell of cells) {
      const disc = discs.get(cell);
      const marks = [disc, cell === lastCell && "last", won.has(cell) && "won"].filter(Boolean);
      box.append(make("div", disc || "", ["cell", ...marks].join(" ")));
    }
    return box;
  }

  function drawBoard() {
    const {discs, last} = position([...game.moves].slice(0, ply).map(c => ALPHABET.indexOf(c)));
    const state = {discs, won: wonBy(discs, last), lastCell: last && at(...last)};
    const xs = [...Array(width).keys()], board = $("board");
    board.replaceChildren();
    if (depth === 1) {
      const level = make("div", undefined, "level"), cells = [];
      for (let z = height - 1; z >= 0; z--) for (const x of xs) cells.push(at(x, 0, z));
      const numbers = make("p", undefined, "columns");
      numbers.style.gridTemplateColumns = `repeat(${width}, 1fr)`;
      xs.forEach(x => numbers.append(make("span", x + 1)));
      level.append(grid(cells, width, state), numbers);
      board.append(level);
      return;
    }
    for (let z = 0; z < height; z++) {
      const level = make("div", undefined, "level"), cells = [];
      for (let y = 0; y < depth; y++) for (const x of xs) cells.push(at(x, y, z));
      level.append(make("p", `level ${z + 1}`), grid(cells, width, state));
      board.append(level);
    }
  }

  const spot = column => depth === 1 ? `${column + 1}`
    : `${column + 1} (x ${Math.floor(column / depth) + 1}, y ${column % depth + 1})`;
  const time = micros => micros >= 1e6 ? `${(micros / 1e6).toFixed(2)} s`
    : micros >= 1e3 ? `${(micros / 1e3).toPrecision(3)} ms` : `${Math.round(micros)} µs`;
  const figure = (list, index, show = String) => {
    const value = list && index >= game.opening ? list[index - game.opening] : null;
    return value === null || value === undefined ? "—" : show(value);
  };
  const many = value => value.toLocaleString("en");
  const result = value => ({1: "1-0", 0: "½-½", "-1": "0-1"})[value];
  const player = index => names[index % 2 ? game.second : game.first];

  function drawMoves() {
    const table = make("table"), head = table.createTHead().insertRow();
    for (const name of ["ply", "engine", "column", "score", "depth", "nodes", "time"])
      head.append(make("th", name, name === "engine" ? "" : "number"));
    const body = table.createTBody();
    [...game.moves].forEach((letter, index) => {
      const row = body.insertRow();
      const who = `${"XO"[index % 2]} ${index < game.opening ? "(opening)" : player(index)}`;
      row.append(make("td", index + 1, "number"), make("td", who));
      for (const text of [spot(ALPHABET.indexOf(letter)), figure(game.scores, index),
        figure(game.depths, index), figure(game.nodes, index, many), figure(game.micros, index, time)])
        row.append(make("td", text, "number"));
      row.addEventListener("click", () => go(index + 1));
    });
    $("moves").replaceChildren(table);
  }

  function go(to) {
    ply = Math.max(0, Math.min(game.moves.length, to));
    $("ply").value = ply;
    drawBoard();
    const rows = $("moves").querySelectorAll("tbody tr");
    rows.forEach((row, index) => row.classList.toggle("now", index === ply - 1));
    const now = rows[ply - 1], box = $("moves");
    const top = element => element.getBoundingClientRect().top;
    if (now) box.scrollTop += top(now) - top(box) - box.clientHeight / 2;
    else box.scrollTop = 0;
    $("said").textContent = words();
  }

  function words() {
    const end = ply === game.moves.length
      ? ` ${result(game.result)}: ${game.detail || reasons[game.reason]}.` : "";
    if (!ply) return `Start.${end}`;
    const index = ply - 1;
    if (index < game.opening) return `Ply ${ply} of ${game.moves.length}: opening.${end}`;
    return `Ply ${ply} of ${game.moves.length}: ${player(index)}, score ${figure(game.scores, index)}, `
      + `depth ${figure(game.depths, index)}, ${figure(game.micros, index, time)}.${end}`;
  }

  function open(one, to = 0) {
    stop();
    game = one;
    $("players").textContent =
      `Game ${game.number}: ${names[game.first]} (X) against ${names[game.second]} (O)`;
    $("ply").max = game.moves.length;
    drawMoves();
    go(to);
    mark();
  }

  const stop = () => { clearInterval(timer); timer = null; $("play").textContent = "play"; };
  function play() {
    if (timer) return stop();
    if (ply === game.moves.length) go(0);
    $("play").textContent = "stop";
    timer = setInterval(() => ply < game.moves.length ? go(ply + 1) : stop(), 700);
  }

  // The list of games.
  const options = (select, first, values) => {
    select.append(new Option(first, ""));
    values.forEach((value, index) => select.append(new Option(value, index)));
  };
  function filter() {
    const [one, other, outcome, reason, number] =
      ["player", "opponent", "result", "reason", "number"].map(id => $(id).value);
    const fits = (a, b, score) => (one === "" || a === +one) && (other === "" || b === +other)
      && (outcome === "" || score === +outcome);
    found = all.filter(each => (number === "" || each.number === +number)
      && (reason === "" || each.reason === +reason)
      && (fits(each.first, each.second, each.result)
        || ((one !== "" || other !== "") && fits(each.second, each.first, -each.result))));
    shown = PAGE;
    list();
  }
  function list() {
    const rows = found.slice(0, shown).map(each => {
      const row = make("tr");
      row.dataset.game = each.number;
      row.append(make("td", each.number, "number"), make("td", each.round, "number"),
        make("td", names[each.first]), make("td", names[each.second]), make("td", result(each.result)),
        make("td", each.moves.length, "number"), make("td", reasons[each.reason]));
      row.addEventListener("click", () => open(each));
      return row;
    });
    $("list").tBodies[0].replaceChildren(...rows);
    $("found").textContent = `${found.length.toLocaleString("en")} of ${all.length.toLocaleString("en")} games`;
    $("more").hidden = found.length <= shown;
    mark();
  }
  const mark = () => $("list").querySelectorAll("tbody tr").forEach(row =>
    row.classList.toggle("now", +row.dataset.game === game.number));

  options($("player"), "any", names);
  options($("opponent"), "any", names);
  options($("reason"), "anything", reasons);
  $("filters").addEventListener("input", filter);
  $("filters").addEventListener("submit", event => event.preventDefault());
  $("more").addEventListener("click", () => { shown += PAGE; list(); });
  const buttons = {start: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1),
    end: () => go(Infinity)};
  for (const [id, act] of Object.entries(buttons))
    $(id).addEventListener("click", () => { stop(); act(); });
  $("play").addEventListener("click", play);
  $("ply").addEventListener("input", () => { stop(); go(+$("ply").value); });
  const keys = {Home: buttons.start, ArrowLeft: buttons.back, ArrowRight: buttons.next,
    End: buttons.end, " ": play};
  addEventListener("keydown", event => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return;
    if (/^(Home|End| )$/.test(event.key) && !$("viewer").contains(event.target)) return;
    if (event.key !== " ") stop();
    act();
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("button.show"))
    button.addEventListener("click", () => {
      const one = all.find(each => each.number === +button.dataset.game);
      if (!one) return;
      open(one, Infinity);
      $("replay").scrollIntoView();
      $("viewer").focus();
    });
  list();
  const asked = /^#game-(\d+)$/.exec(location.hash);
  open((asked && all.find(each => each.number === +asked[1])) || all[0], Infinity);
}

const told = JSON.parse($("game-data").textContent);
if (told.games.length) viewer(told);
