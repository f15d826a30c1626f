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
const STEAL = "*", columnOf = letter => letter === STEAL ? STEAL : ALPHABET.indexOf(letter);
const FIELDS = ["number", "round", "first", "second", "result", "reason", "opening", "moves",
  "detail", "micros", "scores", "depths", "nodes", "kinds", "exact", "keepers"];
const PAGE = 100;
const WRITE_ADDRESS = 100;  // ms after the last step: browsers refuse to be told too often

function viewer({rules, names, reasons, kinds, games}) {
  const {width, depth, height, connect, pie} = rules;
  const all = games.map(list => Object.fromEntries(FIELDS.map((name, at) => [name, list[at]])));
  let game = all[0], ply = 0, timer = null, matches = all, room = PAGE;

  // Steps of every direction once, and cells in a row through the last disc.
  const steps = [];
  for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1])
    if (x > 0 || (x === 0 && (y > 0 || (y === 0 && z > 0)))) steps.push([x, y, z]);
  const at = (x, y, z) => `${x},${y},${z}`;

  function position(columns) {
    const heights = {}, discs = new Map();
    let last = null;
    columns.forEach((column, index) => {
      if (column === STEAL) return discs.set(at(...last), "XO"[index % 2]);
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

  function grid(cells, across, {discs, won, lastCell, verdict}) {
    const box = make("div");
    box.style.gridTemplateColumns = `repeat(${across}, 1fr)`;
    for (const cell of cells) {
      const disc = discs.get(cell);
      const marks = [disc, cell === lastCell && "last", cell === lastCell && verdict && verdict.mark,
        won.has(cell) && "won"].filter(Boolean);
      box.append(make("div", disc || "", ["cell", ...marks].join(" ")));
    }
    return box;
  }

  function drawBoard() {
    const {discs, last} = position([...game.moves].slice(0, ply).map(columnOf));
    const state = {discs, won: wonBy(discs, last), lastCell: last && at(...last),
      verdict: judged(ply - 1)};
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

  const spot = column => column === STEAL ? "steal" : depth === 1 ? `${column + 1}`
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

  // What the exact solver says of a move: how it is marked, and in words; null where it is unjudged.
  const VALUES = ["loss", "draw", "win"], MARKS = {best: "good", "slower win": "slow", "faster loss": "slow"};
  const signed = score => score > 0 ? `+${score}` : String(score);
  function meaning(score, index) {
    if (!score) return "draws";
    if (pie && index < 2) return score > 0 ? "wins" : "loses";  // whose discs are whose is open
    const before = index - game.moves.slice(0, index).includes(STEAL);
    const winner = score > 0 ? before % 2 : 1 - before % 2;
    const discs = Math.floor((width * depth * height + 1 - winner) / 2);
    const disc = 2 * (discs - Math.abs(score)) + 1 + winner;
    return score > 0 ? `wins with disc ${disc}` : `loses at disc ${disc}`;
  }
  function judged(index) {
    const place = index - game.opening, kind = game.kinds && kinds[game.kinds[place]];
    if (!kind) return null;
    const before = game.exact[place], after = -game.exact[place + 1] || 0;
    const had = VALUES[Math.sign(before) + 1], has = VALUES[Math.sign(after) + 1];
    const scores = before === after ? signed(after) : `${signed(before)} to ${signed(after)}`;
    const does = had !== has ? `loses the ${had}`
      : kind === "best" ? (before < 0 ? "best, but lost" : `keeps the ${had}`)
      : kind === "slower win" ? "keeps the win, slower" : "lost, and faster";
    const keepers = [...(game.keepers[index] || "")];
    const right = keepers.filter(letter => letter !== STEAL).map(letter => columnOf(letter) + 1);
    const listed = right.join(", ").replace(/, (\d+)$/, " and $1");
    const drops = right.length
      ? ` Column${right.length > 1 ? "s" : ""} ${listed} would have kept the ${had}.` : "";
    const kept = drops + (keepers.includes(STEAL) ? ` A steal would have kept the ${had}.` : "");
    return {mark: MARKS[kind] || "bad", short: `${does}, ${scores}`,
      long: ` Judged: ${does} (the best move ${meaning(before, index)}, `
        + `this one ${meaning(after, index)}).${kept}`};
  }

  // Every judged move as a stroke below the board, to see at a glance where it went wrong.
  function drawVerdicts() {
    const strokes = [...game.moves].map((letter, index) => {
      const verdict = judged(index), stroke = make("span", undefined, verdict ? verdict.mark : "");
      stroke.title = `ply ${index + 1}: ${verdict ? verdict.short : "unjudged"}`;
      stroke.addEventListener("click", () => { stop(); go(index + 1); });
      return stroke;
    });
    $("verdicts").replaceChildren(...strokes);
    $("verdicts").hidden = $("legend").hidden = !game.kinds;
  }

  function drawMoves() {
    const table = make("table"), head = table.createTHead().insertRow();
    const headings = ["ply", "engine", "column", "score", "depth", "nodes", "time"];
    if (game.kinds) headings.splice(3, 0, "judged");
    for (const name of headings)
      head.append(make("th", name, name === "engine" || name === "judged" ? "" : "number"));
    const body = table.createTBody();
    [...game.moves].forEach((letter, index) => {
      const row = body.insertRow();
      const who = `${"XO"[index % 2]} ${index < game.opening ? "(opening)" : player(index)}`;
      row.append(make("td", index + 1, "number"), make("td", who),
        make("td", spot(columnOf(letter)), "number"));
      if (game.kinds) {
        const verdict = judged(index);
        row.append(make("td", verdict ? verdict.short : index < game.opening ? "" : "unjudged",
          verdict ? `verdict ${verdict.mark}` : "quiet"));
      }
      for (const text of [figure(game.scores, index), figure(game.depths, index),
        figure(game.nodes, index, many), figure(game.micros, index, time)])
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
    $("verdicts").childNodes.forEach((one, index) => one.classList.toggle("now", index === ply - 1));
    $("said").textContent = words();
    later = later || setTimeout(() => { later = null; write(); }, WRITE_ADDRESS);
  }

  // The address names the game and the ply: steps change it, another game is a step back away.
  let later = null;
  const write = (push = false) => {
    clearTimeout(later);
    later = null;
    const address = `#game=${game.number}&ply=${ply}`;
    try { history[push ? "pushState" : "replaceState"]({replay: true}, "", address); }
    catch { /* not allowed here: then without */ }
  };
  function read(hash) {
    const fields = new URLSearchParams(hash.replace(/^#game-/, "#game=").slice(1));
    if (!/^\d+$/.test(fields.get("game") || "")) return null;
    const number = +fields.get("game"), to = /^\d+$/.test(fields.get("ply") || "") ? +fields.get("ply") : Infinity;
    return {number, to, one: all.find(each => each.number === number)};
  }
  function follow(scroll) {
    clearTimeout(later);
    later = null;
    const asked = read(location.hash);
    if (!asked && location.hash.length > 1) return;  // a section of the page
    $("missing").textContent = asked && !asked.one ? `Game ${asked.number} is not on this page.` : "";
    open((asked && asked.one) || all[0], asked ? asked.to : Infinity);
    clearTimeout(later);
    later = null;
    if (asked && scroll) $("replay").scrollIntoView();
  }

  function words() {
    const end = ply === game.moves.length
      ? ` ${result(game.result)}: ${game.detail || reasons[game.reason]}.` : "";
    if (!ply) return `Start.${end}`;
    const index = ply - 1;
    if (index < game.opening) return `Ply ${ply} of ${game.moves.length}: opening.${end}`;
    return `Ply ${ply} of ${game.moves.length}: ${player(index)}, score ${figure(game.scores, index)}, `
      + `depth ${figure(game.depths, index)}, ${figure(game.micros, index, time)}.`
      + `${(judged(index) || {long: ""}).long}${end}`;
  }

  function open(one, to = 0) {
    stop();
    game = one;
    $("players").textContent =
      `Game ${game.number}: ${names[game.first]} (X) against ${names[game.second]} (O)`;
    $("ply").max = game.moves.length;
    drawMoves();
    drawVerdicts();
    go(to);
    mark();
  }
  function choose(one, to) {
    $("missing").textContent = "";
    if (later) write();  // where the reader was
    open(one, to);
    write(true);
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
    matches = all.filter(each => (number === "" || each.number === +number)
      && (reason === "" || each.reason === +reason)
      && (fits(each.first, each.second, each.result)
        || ((one !== "" || other !== "") && fits(each.second, each.first, -each.result))));
    room = PAGE;
    list();
  }
  function list() {
    const rows = matches.slice(0, room).map(each => {
      const row = make("tr");
      row.dataset.game = each.number;
      row.append(make("td", each.number, "number"), make("td", each.round, "number"),
        make("td", names[each.first]), make("td", names[each.second]), make("td", result(each.result)),
        make("td", each.moves.length, "number"), make("td", reasons[each.reason]));
      row.addEventListener("click", () => choose(each, 0));
      return row;
    });
    $("list").tBodies[0].replaceChildren(...rows);
    $("found").textContent = `${matches.length.toLocaleString("en")} of ${all.length.toLocaleString("en")} games`;
    $("more").hidden = matches.length <= room;
    mark();
  }
  const mark = () => $("list").querySelectorAll("tbody tr").forEach(row =>
    row.classList.toggle("now", +row.dataset.game === game.number));

  options($("player"), "any", names);
  options($("opponent"), "any", names);
  options($("reason"), "anything", reasons);
  $("filters").addEventListener("input", filter);
  $("filters").addEventListener("submit", event => event.preventDefault());
  $("more").addEventListener("click", () => { room += PAGE; list(); });
  const buttons = {start: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1),
    end: () => go(Infinity)};
  for (const [id, act] of Object.entries(buttons))
    $(id).addEventListener("click", () => { stop(); act(); });
  $("play").addEventListener("click", play);
  $("ply").addEventListener("input", () => { stop(); go(+$("ply").value); });
  const keys = {Home: buttons.start, ArrowLeft: buttons.back, ArrowRight: buttons.next,
    End: buttons.end, " ": play};
  addEventListener("keydown", event => {  // arrows step whatever has the focus
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (/^(Home|End| )$/.test(event.key) && (!$("viewer").contains(event.target)
      || /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName))) return;
    if (event.key !== " ") stop();
    act();
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("button.show"))
    button.addEventListener("click", () => {
      const one = all.find(each => each.number === +button.dataset.game);
      if (!one) return;
      choose(one, "ply" in button.dataset ? +button.dataset.ply : Infinity);
      $("replay").scrollIntoView();
      $("viewer").focus({preventScroll: true});
    });
  addEventListener("popstate", event => follow(event.state === null));
  list();
  follow(true);
}

const data = JSON.parse($("game-data").textContent);
if (data.games.length) viewer(data);
