"use strict";
// Makes tables sortable and searchable, describes the element of a graph under the pointer, and filters a graph by
// channel and transport. The page is complete without this script. A JSON report that the user opens or drops on the
// page replaces its contents.

const order = new Intl.Collator("en", {numeric: true});
const few = 8;  // a table with at most so many rows gets no search field

/** Sorts the rows by the column of `head`; descending if they are ascending already. Empty cells come last. */
function sort(table, head) {
  const column = [...head.parentNode.children].indexOf(head);
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = row => row.children[column].textContent;
  const body = table.tBodies[0];
  const compare = (a, b) => (text(a) === "") - (text(b) === "") || (up ? 1 : -1) * order.compare(text(a), text(b));
  body.append(...[...body.rows].sort(compare));
}

/** Hides the rows that do not contain all words, in any order. Writes the number of the other rows into `shown`. */
function filter(table, words, shown) {
  const wanted = words.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of table.tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every(word => text.includes(word));
    if (!row.hidden) ++count;
  }
  shown.textContent = `${count} of ${table.tBodies[0].rows.length}`;
}

/** Makes the columns of a table sortable. A table with more than `few` rows also gets a search field. */
function prepare(table) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head));
    head.append(button);
  }
  if (table.tBodies[0].rows.length <= few) return;
  const label = document.createElement("label"), words = document.createElement("input");
  const shown = document.createElement("output");
  words.type = "search";
  label.append("Rows that hold ", words);
  words.addEventListener("input", () => filter(table, words.value, shown));
  const line = document.createElement("p");
  line.append(label, " ", shown);
  table.parentNode.before(line);
}
for (const table of document.querySelectorAll("table:not(.matrix, .rails)")) prepare(table);

/** Expands ranges such as `0-3,8` to a set of numbers. */
function numbers(text) {
  const all = new Set();
  for (const part of text.split(",")) {
    const [first, last = first] = part.split("-").map(Number);
    for (let one = first; one <= last; ++one) all.add(one);
  }
  return all;
}

/** Adds a control with the label `words` to the line of controls above a graph. */
function addControl(graph, words, control) {
  const label = document.createElement("label");
  label.append(words, " ", control);
  let line = graph.querySelector(".controls");
  if (!line) {
    line = document.createElement("p");
    line.className = "controls";
    graph.querySelector("summary").after(line);
  }
  line.append(label, " ");
}

/** Dims what is not of `channel` ("": all channels) or of a transport that is not ticked in the legend. */
function show(graph, channel) {
  const hidden = [...graph.querySelectorAll(".legend input:not(:checked)")].map(one => one.value);
  for (const part of graph.querySelectorAll("[data-channels]")) {
    const other = channel !== "" && !numbers(part.dataset.channels).has(Number(channel));
    part.classList.toggle("off", other || hidden.some(way => part.classList.contains(way)));
  }
}

/** Returns the elements to highlight: all that show the rank of `part`, or a matrix cell and its two headings. */
function related(graph, part) {
  const rank = part.dataset.rank;
  if (rank !== undefined) return graph.querySelectorAll(`[data-rank="${Number(rank)}"]`);
  if (part.tagName !== "TD") return [part];
  const heads = part.closest("table").tHead.rows[0].cells;
  return [part, part.parentNode.cells[0], heads[part.cellIndex]];
}

for (const graph of document.querySelectorAll(".graph")) {
  const channels = new Set();
  for (const part of graph.querySelectorAll("[data-channels]"))
    for (const one of numbers(part.dataset.channels)) channels.add(one);
  const choice = document.createElement("select");
  choice.append(new Option("all", ""));
  for (const one of [...channels].sort((a, b) => a - b)) choice.append(new Option(one, one));
  choice.addEventListener("change", () => show(graph, choice.value));
  if (channels.size > 1) addControl(graph, "Channel", choice);

  for (const item of graph.querySelectorAll(".legend li")) {
    const box = document.createElement("input"), label = document.createElement("label");
    box.type = "checkbox";
    box.checked = true;
    box.value = item.dataset.way;
    box.addEventListener("change", () => show(graph, choice.value));
    label.append(box, ...item.childNodes);
    item.append(label);
  }

  const parts = [...graph.querySelectorAll(".chip, .cell")];
  if (parts.length === 0) continue;
  const words = document.createElement("input"), shown = document.createElement("output");
  words.type = "search";
  words.addEventListener("input", () => {
    const wanted = words.value.toLowerCase();
    const found = parts.filter(part => {
      const fits = wanted !== "" && part.title.toLowerCase().includes(wanted);
      part.classList.toggle("lit", fits);
      return fits;
    });
    shown.textContent = wanted === "" ? "" : `${found.length} found`;
  });
  addControl(graph, "Host, rank, rule", words);
  graph.querySelector(".controls").append(shown);

  // A line of text describes the element under the pointer. Arrow keys move the focus from element to element.
  const about = document.createElement("p");
  about.className = "about";
  about.setAttribute("role", "status");
  about.textContent = "Point at a rank, a host or a cell, or go there with Tab and the arrow keys.";
  graph.append(about);
  let lit = [];
  const tell = event => {
    const part = event.target.closest("[title]");
    if (!part || !graph.contains(part)) return;
    for (const one of lit) one.classList.remove("lit");
    lit = [...related(graph, part)];
    for (const one of lit) one.classList.add("lit");
    about.textContent = part.title;
  };
  graph.addEventListener("pointerover", tell);
  graph.addEventListener("focusin", tell);
  parts[0].tabIndex = 0;
  graph.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const at = parts.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    parts[at].tabIndex = -1;
    const next = parts[(at + step + parts.length) % parts.length];
    next.tabIndex = 0;
    next.focus();
  });
}

/** Copies `text`. Some browsers deny the clipboard to pages from files; the older command `copy` is then used. */
function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("the browser does not let it"));
}

for (const ticket of document.querySelectorAll(".ticket")) {
  const button = document.createElement("button"), done = document.createElement("output");
  button.type = "button";
  button.textContent = "Copy as Markdown";
  button.addEventListener("click", () => copy(ticket.textContent).then(
    () => { done.textContent = " copied"; },
    () => {
      ticket.hidden = false;
      done.textContent = " the browser does not let a page copy: here it is";
    }));
  ticket.before(button, done);
}

/** Puts a button that copies the command after `pre`. */
function offerCopy(pre) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const text = pre.textContent.trimEnd();
  button.setAttribute("aria-label", "Copy " + text);
  button.addEventListener("click", () => copy(text).then(
    () => { button.textContent = "Copied"; },
    () => { getSelection().selectAllChildren(pre); }));
  pre.after(button);
}
for (const pre of document.querySelectorAll("pre.command, pre:has(> code)")) offerCopy(pre);

/** Creates an element that contains the given texts and elements. Texts are never parsed as markup. */
function element(name, ...inside) {
  const made = document.createElement(name);
  made.append(...inside.map(one => typeof one === "string" ? visible(one) : one));
  return made;
}

/** Escapes control characters, invisible characters, and characters that change the direction of text, as `\uXXXX`. */
function visible(text) {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    one => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0"));
}

function tableOf(rows) {
  const columns = Object.keys(rows[0]).filter(name => rows.some(row => row[name] !== null && typeof row[name] !== "object"));
  const head = element("tr", ...columns.map(name => element("th", name.replaceAll("_", " "))));
  const body = rows.map(row => element("tr", ...columns.map(name => element("td", String(row[name] ?? "")))));
  const made = element("div", element("table", element("thead", head), element("tbody", ...body)));
  made.className = "scroll";
  return made;
}

function commandOf(command) {
  const made = element("pre", command);
  made.className = "command";
  return made;
}

/** The steps of a finding; reports of older versions have their Markdown only. */
function fixOf(finding) {
  if (!finding.steps?.length) return [element("pre", finding.fix)];
  return [element("ol", ...finding.steps.map(step => element("li", step.text,
    ...(step.because ? [` (Because: ${step.because}.)`] : []),
    ...(step.command ? [commandOf(step.command)] : []),
    ...(step.reference ? [` (${step.reference})`] : []))))];
}

/** Replaces the contents of the page by a report that `-f json` wrote. */
function showReport(report) {
  if (report.schema !== "nccl-analyze.report") throw new Error("this is no report of nccl-analyze --format json");
  const sources = report.input.sources.map(source => source.name);
  const section = (kind, title, ...inside) => {
    const made = element("section", element(inside.length ? "h2" : "h1", ...title), ...inside);
    made.className = kind;
    return made;
  };
  const label = kind => {
    const made = element("span", kind.toUpperCase());
    made.className = "label";
    return made;
  };
  const sections = [section("verdict " + report.verdict.status, [label(report.verdict.status), " " + report.verdict.headline])];
  const kinds = {error: "error", warning: "warning", info: "info"};
  for (const finding of report.findings) {
    const lines = finding.evidence.map(one => `${sources[one.source] ?? "input"}:${one.line}: ${one.text ?? ""}`);
    const suspects = finding.suspects.map(one => element("li", ["rank " + (one.rank ?? "?"), one.pod ?? one.host, one.why]
      .filter(Boolean).join(": ")));
    sections.push(section(kinds[finding.severity] ?? "", [label(finding.severity), ` ${finding.rule} ${finding.name}`],
      element("p", finding.message), element("ul", ...suspects), element("pre", lines.join("\n")),
      element("p", element("strong", "Fix")), ...fixOf(finding)));
  }
  if (report.next?.length) sections.push(section("", ["Next"],
    ...report.next.flatMap(one => [element("p", one.why + ":"), commandOf(one.command)])));
  for (const [title, rows] of [["Ranks", report.ranks], ["Checks", report.checks]]) {
    if (rows.length === 0) continue;
    const table = tableOf(rows.slice(0, 4096));
    sections.push(section("", [title], table, ...(rows.length > 4096 ? [element("p", `and ${rows.length - 4096} others`)] : [])));
    prepare(table.firstChild);
  }
  document.querySelector("main").replaceChildren(...sections, opener);
  for (const pre of document.querySelectorAll("pre.command")) offerCopy(pre);
  document.title = `${report.verdict.status}: ${visible(report.verdict.headline)}`;
}

async function open(file) {
  const told = opener.querySelector("output");
  try {
    showReport(JSON.parse(await file.text()));
    told.textContent = " " + visible(file.name);
  } catch (failure) {
    told.textContent = ` ${visible(file.name)} is not shown: ${failure.message}`;
  }
}

const chosen = document.createElement("input");
chosen.type = "file";
chosen.accept = ".json";
chosen.addEventListener("change", () => {
  if (chosen.files.length > 0) open(chosen.files[0]);
  chosen.value = "";  // so that the same file can be chosen again
});
const opener = element("p", element("label", "Open a report of --format json here, or drop it on the page: ", chosen),
  document.createElement("output"));
opener.className = "opener";
document.querySelector("footer").before(opener);
document.addEventListener("dragover", event => event.preventDefault());
document.addEventListener("drop", event => {
  event.preventDefault();
  if (event.dataTransfer.files.length > 0) open(event.dataTransfer.files[0]);
});

// All sections are opened for printing, because a reader of paper cannot open them.
let closed = [];
window.addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const one of closed) one.open = true;
});
window.addEventListener("afterprint", () => {
  for (const one of closed) one.open = false;
});
