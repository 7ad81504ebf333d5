// The playground: what the server cut is shown on the text it was cut from. Offsets are UTF-16 code
// units, as in JavaScript strings; where a tool only has code points they are converted once.

const choices = JSON.parse(document.getElementById("choices").textContent);
const byName = new Map(choices.map((choice) => [key(choice), choice]));
const area = document.getElementById("text");
const compare = document.getElementById("compare");
const said = document.getElementById("said");
const holder = document.getElementById("columns");
const columns = [];
const COLOURS = 6;
const MOST_SHOWN = 2000;
const MOST_LINK = 60000;

function key(choice) {
  return choice.version ? `${choice.name}@${choice.version}` : choice.name;
}

function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// One column: a tool, its options, and what came of them.

class Column {
  constructor(number, settings) {
    this.number = number;
    this.turn = 0;
    const copy = document.getElementById("column").content.cloneNode(true);
    this.root = copy.querySelector(".column");
    const find = (selector) => this.root.querySelector(selector);
    this.title = find("h2");
    this.select = find(".settings select");
    this.optionBox = find(".options");
    this.summary = find(".summary");
    this.chart = find("svg");
    this.caption = find("figcaption");
    this.source = find(".source");
    this.detail = find(".detail");
    this.list = find(".pieces");
    this.format = find(".copy select");
    this.code = find(".copy code");
    for (const choice of choices) this.select.append(new Option(choice.label, key(choice)));
    this.select.value = byName.has(settings?.tool) ? settings.tool : key(choices[0]);
    this.select.addEventListener("change", () => { this.showOptions({}); this.run(); });
    find("form").addEventListener("submit", (event) => event.preventDefault());
    this.format.addEventListener("change", () => this.showCall());
    find(".copy button").addEventListener("click", () => this.copyCall());
    this.source.addEventListener("keydown", (event) => this.move(event));
    for (const type of ["focusin", "mouseover", "click"])
      this.source.addEventListener(type, (event) => this.pick(event.target.closest(".piece")));
    this.showOptions(settings?.options ?? {});
    holder.append(this.root);
  }

  get choice() { return byName.get(this.select.value); }

  showOptions(values) {
    this.optionBox.replaceChildren();
    this.inputs = new Map();
    for (const [name, schema] of Object.entries(this.choice.options)) {
      const input = this.inputFor(name, schema, values[name] ?? this.presetFor(name));
      if (!input) continue;
      const label = make("label", input.type === "checkbox" ? "tick" : "", `${name.replaceAll("_", " ")} `);
      label.append(input);
      label.title = schema.description ?? "";
      input.addEventListener("input", () => this.runSoon());
      this.inputs.set(name, [input, schema]);
      this.optionBox.append(label);
    }
  }

  presetFor(name) {
    return this.choice.required.includes(name) ? this.choice.example[name] : undefined;
  }

  inputFor(name, schema, value) {
    let input;
    if (schema.enum) {
      input = make("select");
      input.append(new Option("default", ""));
      for (const item of schema.enum) if (item !== null) input.append(new Option(item, item));
    } else if (schema.type === "boolean") {
      input = make("input");
      input.type = "checkbox";
      input.checked = value === true;
    } else if (schema.type === "integer") {
      input = make("input");
      input.type = "number";
      if (schema.minimum !== undefined) input.min = schema.minimum;
      input.placeholder = schema.default ?? /Default (\d+)/.exec(schema.description)?.[1] ?? "";
    } else if (schema.type === "string") {
      input = make("input");
    } else return null;
    input.name = name;
    if (value !== undefined && input.type !== "checkbox") input.value = value;
    return input;
  }

  get options() {
    const given = {};
    for (const [name, [input, schema]] of this.inputs) {
      if (schema.type === "boolean") { if (input.checked) given[name] = true; }
      else if (input.value !== "")
        given[name] = schema.type === "integer" ? Number(input.value) : input.value;
    }
    return given;
  }

  runSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), 150);
  }

  async run() {
    clearTimeout(this.timer);
    const turn = ++this.turn;
    const text = area.value;
    const choice = this.choice;
    this.showCall();
    const input = { ...this.options, [choice.text]: text };
    if (choice.unit) input.unit = "utf16";
    let rows;
    try {
      rows = choice.version ? (await ask(choice.url, input))[choice.rows] : await askMcp(choice, input);
    } catch (error) {
      if (turn === this.turn) this.fail(error);
      return;
    }
    if (turn !== this.turn) return;
    if (!choice.unit) rows = inUtf16(text, rows);
    this.show(text, rows);
  }

  fail(error) {
    this.summary.textContent = error.message;
    this.summary.classList.add("wrong");
    this.detail.textContent = "";
    this.pieces = [];
    for (const part of [this.source, this.list, this.chart]) part.replaceChildren();
    this.caption.textContent = "";
  }

  show(text, rows) {
    this.rows = rows;
    const inTokens = this.options.max_tokens !== undefined;
    this.unit = inTokens ? " tokens" : "";
    const sizes = rows.map((row) => (inTokens ? row.tokens : row.chars) ?? row.size ?? [...text.slice(row.start, row.end)].length);
    this.sizes = sizes;
    this.summary.classList.remove("wrong");
    const sorted = [...sizes].sort((a, b) => a - b);
    const middle = sorted[sorted.length >> 1];
    this.summary.textContent = rows.length === 0 ? "No pieces" :
      `${rows.length} ${rows.length === 1 ? "piece" : "pieces"}, sizes ${sorted[0]} to ${sorted.at(-1)}${this.unit}, median ${middle}`;
    this.showHistogram(sorted);
    this.showSource(text);
    this.showList(text);
    this.current = null;
    this.detail.textContent = rows.length ? "Point at a piece, or move to it with the keys, to see what it is." : "";
  }

  // Twenty bars from 0 to the biggest size or the size asked for, which is the line.
  showHistogram(sorted) {
    this.chart.replaceChildren();
    if (sorted.length === 0) { this.caption.textContent = ""; return; }
    const limit = this.options.max_tokens ?? this.options.max_chars ?? this.options.max_size ?? 0;
    const top = Math.max(sorted.at(-1), limit, 1);
    const bars = new Array(20).fill(0);
    for (const size of sorted) bars[Math.min(19, Math.floor((size / top) * 20))] += 1;
    const most = Math.max(...bars);
    const draw = (tag, attributes) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      this.chart.append(made);
    };
    bars.forEach((count, i) => {
      const height = (count / most) * 76;
      draw("rect", { x: i * 20 + 1, y: 80 - height, width: 18, height });
    });
    const at = Math.min((limit / top) * 400, 399);
    if (limit) draw("line", { x1: at, x2: at, y1: 0, y2: 80 });
    const words = `Sizes of pieces, from 0 to ${top}${this.unit}; at most ${most} in one bar`;
    this.chart.setAttribute("aria-label", words);
    this.caption.textContent = words + (limit ? `; the line is at ${limit}` : "");
  }

  // The text, cut at every start and end; what several pieces hold is marked as shared.
  showSource(text) {
    const shown = this.rows.slice(0, MOST_SHOWN);
    const starts = new Map();
    const edges = new Set([0, text.length]);
    shown.forEach((row, i) => {
      edges.add(row.start);
      edges.add(row.end);
      if (!starts.has(row.start)) starts.set(row.start, []);
      starts.get(row.start).push(i);
    });
    const order = [...edges].sort((a, b) => a - b);
    const parts = document.createDocumentFragment();
    let open = [];
    for (let at = 0; at < order.length - 1; at++) {
      const [start, end] = [order[at], order[at + 1]];
      open = open.filter((i) => shown[i].end > start).concat(starts.get(start) ?? []);
      const inside = open.filter((i) => shown[i].end > start);
      const slice = text.slice(start, end);
      if (inside.length === 0) { parts.append(slice); continue; }
      const i = inside.at(-1);
      const mark = make("span", `piece c${i % COLOURS}${inside.length > 1 ? " shared" : ""}`, slice);
      mark.dataset.piece = i;
      mark.dataset.start = start;
      mark.dataset.end = end;
      parts.append(mark);
    }
    this.source.replaceChildren(parts);
    this.pieces = [...this.source.querySelectorAll(".piece")];
    this.pieces.forEach((mark, n) => {
      mark.tabIndex = n === 0 ? 0 : -1;
      mark.setAttribute("role", "button");
    });
  }

  showList(text) {
    const items = this.rows.slice(0, MOST_SHOWN).map((row, i) => {
      const item = make("li", `edge${i % COLOURS}`);
      item.append(make("strong", `c${i % COLOURS}`, ` ${i + 1} `), ` ${this.describe(i)}`);
      const body = make("pre");
      body.tabIndex = 0;
      body.setAttribute("aria-label", `Text of piece ${i + 1}`);
      const whole = typeof row.text === "string" ? row.text : text.slice(row.start, row.end);
      const points = [...whole];
      const before = points.slice(0, row.prefix_chars ?? 0).join("");
      const after = row.suffix_chars ? points.slice(-row.suffix_chars).join("") : "";
      const path = (row.heading_path ?? []).join(" > ");
      const lead = this.options.prefix_path && path && before.startsWith(path) ? path : "";
      if (lead) body.append(titled("span", "path", lead, "Heading path, added"));
      if (before.slice(lead.length)) body.append(titled("span", "added", before.slice(lead.length), "Added before the span: overlap, fence or table header"));
      body.append(make("span", "own", whole.slice(before.length, whole.length - after.length)));
      if (after) body.append(titled("span", "added", after, "Added after the span"));
      item.append(body);
      return item;
    });
    if (this.rows.length > MOST_SHOWN) items.push(make("li", "", `… ${this.rows.length - MOST_SHOWN} more are not shown`));
    this.list.replaceChildren(...items);
  }

  describe(i) {
    const row = this.rows[i];
    const facts = [];
    const path = row.heading_path ?? row.path;
    if (path?.length) facts.push(path.join(" > "));
    facts.push(`offsets ${row.start} to ${row.end}`);
    if (row.start_line !== undefined) facts.push(`lines ${row.start_line} to ${row.end_line ?? row.start_line}`);
    facts.push(`size ${this.sizes[i]}${this.unit}`);
    if (row.parts > 1) facts.push(`part ${row.part} of ${row.parts}`);
    if (row.prefix_chars || row.suffix_chars) facts.push(`added ${row.prefix_chars} before, ${row.suffix_chars} after`);
    return facts.join(" · ");
  }

  pick(mark) {
    if (!mark || this.current === mark) return;
    this.current?.classList.remove("current");
    this.current = mark;
    mark.classList.add("current");
    this.detail.textContent = `Piece ${Number(mark.dataset.piece) + 1}: ${this.describe(Number(mark.dataset.piece))}`;
  }

  move(event) {
    const at = this.pieces.indexOf(document.activeElement);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -at, End: this.pieces.length - 1 - at };
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    const next = this.pieces[Math.min(Math.max(at + steps[event.key], 0), this.pieces.length - 1)];
    this.pieces[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  showCall() {
    const { choice, options } = this;
    const short = area.value.length > 2000 ? `${area.value.slice(0, 200)}…` : area.value;
    const input = { ...options, [choice.text]: short };
    if (!choice.version) {
      this.code.textContent = callByName(choice, options, short)[this.format.value];
      return;
    }
    const quoted = JSON.stringify(input).replaceAll("'", "'\\''");
    const call = {
      cli: `printf %s '${quoted}' |\n  spanwise run ${choice.name} ${choice.version} --input -`,
      python: `import json\nimport spanwise\n\nspanwise.execute("${choice.name}", "${choice.version}", json.loads(${JSON.stringify(JSON.stringify(input))}))`,
      curl: `curl -X POST ${location.origin}${choice.url} \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted}'`,
      mcp: JSON.stringify({ name: "execute", arguments: { id: choice.name, version: choice.version, input } }, null, 2),
    };
    this.code.textContent = call[this.format.value];
  }

  async copyCall() {
    await copy(this.code.textContent, "Copied the call");
  }
}

function titled(tag, className, text, title) {
  const made = make(tag, className, text);
  made.title = title;
  return made;
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = done;
  } catch {
    said.textContent = "The browser does not let this page copy; select the text instead";
  }
}

async function post(url, input, headers) {
  try {
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(input) });
    return await response.json();
  } catch {
    throw new Error("The server does not answer.");
  }
}

async function ask(url, input) {
  const answer = await post(url, input);
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

// A tool that has a name at the MCP door, not an address of its own; all pages of its answer.
async function askMcp(choice, input) {
  const rows = [];
  for (let start = 1; start !== null; ) {
    const message = mcpMessage(choice, { ...input, limit: 1000, start });
    const answer = await post(choice.url, message, { Accept: "application/json, text/event-stream" });
    const content = answer.result?.structuredContent;
    if (!content) throw new Error(answer.error?.message ?? JSON.parse(answer.result.content[0].text).error.message);
    rows.push(...content[choice.rows]);
    start = content.next_start;
  }
  return rows;
}

function mcpMessage(choice, args) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: choice.name, arguments: args } };
}

function callByName(choice, options, text) {
  const quote = (words) => `'${words.replaceAll("'", "'\\''")}'`;
  const flags = Object.entries(options).map(([name, value]) => ` --${name.replaceAll("_", "-")}${value === true ? "" : ` ${value}`}`);
  const keywords = Object.entries(options).map(([name, value]) => `, ${name}=${value === true ? "True" : JSON.stringify(value)}`);
  const input = { ...options, [choice.text]: text };
  return {
    cli: `printf %s ${quote(text)} |\n  spanwise chunk -${flags.join("")}`,
    python: `import spanwise\n\nspanwise.chunk_markdown(${JSON.stringify(text)}${keywords.join("")})`,
    curl: `curl -X POST ${location.origin}${choice.url} \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n  -d ${quote(JSON.stringify(mcpMessage(choice, input)))}`,
    mcp: JSON.stringify({ name: choice.name, arguments: input }, null, 2),
  };
}

function inUtf16(text, rows) {
  const at = [];
  let unit = 0;
  for (const point of text) { at.push(unit); unit += point.length; }
  at.push(unit);
  return rows.map((row) => ({ ...row, start: at[row.start], end: at[row.end] }));
}

// Links: the whole view in the fragment, which never goes to the server.

async function pressed(stream, transform) {
  const body = new Response(stream.pipeThrough(transform));
  return new Uint8Array(await body.arrayBuffer());
}

async function toFragment(view) {
  const bytes = await pressed(new Blob([JSON.stringify(view)]).stream(), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function fromFragment(fragment) {
  const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const plain = await pressed(new Blob([bytes]).stream(), new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(plain));
}

async function makeLink() {
  const view = { text: area.value, columns: columns.map((c) => ({ tool: c.select.value, options: c.options })) };
  const fragment = await toFragment(view);
  if (fragment.length > MOST_LINK) {
    said.textContent = "The text is too long for a link";
    return;
  }
  history.replaceState(null, "", `#${fragment}`);
  await copy(location.href, "The address of this page is the link, and it is copied");
}

// Putting it together.

function setColumns(settings) {
  while (columns.length > settings.length) columns.pop().root.remove();
  settings.slice(columns.length).forEach((setting) => columns.push(new Column(columns.length, setting)));
  columns.forEach((column, i) => {
    column.title.textContent = columns.length > 1 ? `Settings ${"AB"[i]}` : "Settings";
  });
  compare.checked = columns.length > 1;
}

function runAll() { for (const column of columns) column.run(); }

async function readFile(file) {
  if (!file) return;
  area.value = await file.text();
  said.textContent = `Read ${file.name}`;
  runAll();
}

let timer;
area.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(runAll, 250); });
area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
area.addEventListener("dragleave", () => area.classList.remove("over"));
area.addEventListener("drop", (event) => {
  area.classList.remove("over");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  readFile(event.dataTransfer.files[0]);
});
document.getElementById("file").addEventListener("change", (event) => readFile(event.target.files[0]));
document.getElementById("link").addEventListener("click", makeLink);
compare.addEventListener("change", () => {
  const first = { tool: columns[0].select.value, options: columns[0].options };
  setColumns(compare.checked ? [first, first] : [first]);
  if (compare.checked) columns[1].run();
});

let view = { columns: [{}] };
if (location.hash.length > 1) {
  try {
    view = await fromFragment(location.hash.slice(1));
    area.value = String(view.text);
  } catch {
    said.textContent = "The link is damaged; this is an example instead";
    view = { columns: [{}] };
  }
}
setColumns(Array.isArray(view.columns) && view.columns.length ? view.columns.slice(0, 2) : [{}]);
runAll();
