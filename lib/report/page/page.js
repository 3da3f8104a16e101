"use strict";
// Tables are sorted by a click on a column's head and filtered by words. All that is shown stands in the page already.

const order = new Intl.Collator("en", {numeric: true});
const few = 8;  // rows that need no filter

/** Sorts the rows by a column, up, and down when they are sorted up; empty cells come last. */
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

/** Shows the rows that hold all of the words, in any order. */
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

for (const table of document.querySelectorAll("table")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head));
    head.append(button);
  }
  if (table.tBodies[0].rows.length <= few) continue;
  const label = document.createElement("label"), words = document.createElement("input");
  const shown = document.createElement("output");
  words.type = "search";
  label.append("Rows that hold ", words);
  words.addEventListener("input", () => filter(table, words.value, shown));
  const line = document.createElement("p");
  line.append(label, " ", shown);
  table.before(line);
}

// On paper nothing can be opened.
let closed = [];
window.addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const one of closed) one.open = true;
});
window.addEventListener("afterprint", () => {
  for (const one of closed) one.open = false;
});
