"use strict";
// Shows a part when it is opened or comes near, colours code, lights up the lines of one loop in all texts, sorts tables.
// Such parts stand in <noscript>, which a browser that runs scripts reads as plain text: hundreds of kernels cost nothing
// until they are asked for, and without scripts everything is there.
const WORDS = {
  nest: [["c", /@"[^"]*"/], ["k", /\b(?:kernel|local|each|sum|for|in|if|parallel|unroll|vector|serial|scratch|register|prefetch|at|root|ops|flops)\b/], ["v", /%[\w.$]+/], ["n", /\b\d+\b/]],
  llvm: [["c", /;.*/], ["v", /[%@][\w.$-]+/], ["t", /<\d+ x \w+>|\b(?:ptr|float|double|void|i\d+)\b/], ["k", /\b[a-z]{2,}\b/], ["n", /-?\b\d[\w.+-]*\b/]],
  asm: [["c", /#.*/], ["v", /%\w+/], ["n", /\$-?\w+|-?\b\d+\b(?=\()/], ["k", /^\s*[a-z]\w+|^\S+:/], ["t", /\.L\w+/]],
  plain: [["c", /\/\/.*/], ["n", /\b\d+\b/]],
};
const LEAST_SCALE = 0.7;  // of a drawing that is wider than its place: smaller words cannot be read
const escape = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
function coloured(text, words) {
  const every = new RegExp(words.map(([, r]) => "(" + r.source + ")").join("|"), "g");
  let out = "", at = 0;
  for (const m of text.matchAll(every)) {
    const kind = words[m.slice(1).findIndex((g) => g !== undefined)][0];
    out += escape(text.slice(at, m.index)) + `<span class="${kind}">${escape(m[0])}</span>`;
    at = m.index + m[0].length;
  }
  return out + escape(text.slice(at));
}
function dress(pre) {
  if (pre.dataset.dressed) return;
  pre.dataset.dressed = "yes";
  const loops = pre.dataset.loops.split(" ").flatMap((run) => { const [n, loop] = run.split("x"); return Array(+n).fill(loop); });
  const costs = (pre.dataset.costs || "").split("|"), words = WORDS[pre.dataset.language] || WORDS.plain;
  pre.innerHTML = pre.textContent.split("\n").map((text, k) =>
    `<span class="l" data-loop="${loops[k]}"${costs[k] ? ` data-c="${costs[k]}"` : ""}>${coloured(text, words)}</span>`).join("");
}
function light(kernel, loop) {
  if (kernel.dataset.lit === loop) return;
  kernel.dataset.lit = loop;
  for (const line of kernel.querySelectorAll("span.l.on")) line.classList.remove("on");
  if (loop !== "-1") for (const line of kernel.querySelectorAll(`span.l[data-loop="${loop}"]`)) line.classList.add("on");
}
function centre(box) {
  const svg = box.querySelector("svg"), first = box.querySelector("rect");
  if (!first) return;
  const whole = svg.width.baseVal.value, scale = Math.min(1, Math.max(LEAST_SCALE, box.clientWidth / whole));
  svg.style.width = scale * whole + "px";
  svg.style.height = "auto";
  box.scrollLeft = scale * (first.x.baseVal.value + first.width.baseVal.value / 2) - box.clientWidth / 2;
}
function show(part) {
  const waiting = [...part.children].find((child) => child.tagName === "NOSCRIPT");
  if (!waiting) return;
  waiting.insertAdjacentHTML("afterend", waiting.textContent);
  waiting.remove();
  part.querySelectorAll("pre.code").forEach(dress);
  part.querySelectorAll(".tall").forEach(centre);
}
document.addEventListener("toggle", (event) => { if (event.target.open) show(event.target); }, true);
const near = new IntersectionObserver((seen) => { for (const { isIntersecting, target } of seen) if (isIntersecting) show(target); }, { rootMargin: "50%" });
document.querySelectorAll(".ahead").forEach((part) => near.observe(part));
addEventListener("beforeprint", () => document.querySelectorAll(".ahead, details[open]").forEach(show));
document.addEventListener("mouseover", (event) => {
  const line = event.target.closest("span.l");
  if (line) light(line.closest("details.kernel"), line.dataset.loop);
});
document.addEventListener("click", (event) => {
  const line = event.target.closest("span.l");
  if (!line || line.dataset.loop === "-1") return;
  const kernel = line.closest("details.kernel");
  light(kernel, line.dataset.loop);
  for (const pre of kernel.querySelectorAll("pre.code")) {
    const first = pre.querySelector("span.l.on");
    if (first && pre !== line.parentNode) pre.scrollTop = first.offsetTop - 40;
  }
});
function unfold() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (!target) return;
  document.querySelectorAll(".ahead").forEach(show);  // now, or what lies below would move while the page scrolls there
  if (target.tagName === "DETAILS") { target.open = true; show(target); }
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => head.addEventListener("click", () => {
    const down = head.dataset.down = head.dataset.down === "1" ? "0" : "1";
    const value = (row) => { const cell = row.cells[column], v = cell.dataset.v ?? cell.textContent; return v !== "" && !isNaN(v) ? +v : v; };
    const rows = [...body.rows].sort((a, b) => { const x = value(a), y = value(b); return (typeof x === typeof y ? (x > y) - (x < y) : typeof x === "number" ? 1 : -1); });
    for (const row of down === "1" ? rows.reverse() : rows) body.append(row);
  }));
}
