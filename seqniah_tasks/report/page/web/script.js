"use strict";
(() => {
  const root = document.documentElement;
  const themes = ["system", "light", "dark"];
  let theme = "system";
  try {
    const kept = localStorage.getItem("seqniah-theme");
    if (themes.includes(kept)) theme = kept;
  } catch { /* Nothing is kept where storage is barred. */ }
  const paint = () => {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  paint();

  const themeChoice = () => {
    const label = document.getElementById("page-theme");
    const choice = label.querySelector("select");
    choice.value = theme;
    label.hidden = false;
    choice.addEventListener("change", () => {
      theme = choice.value;
      paint();
      try {
        localStorage.setItem("seqniah-theme", theme);
      } catch { /* As above. */ }
    });
  };

  const contents = () => {
    const list = document.getElementById("page-contents");
    const wide = matchMedia("(min-width: 68rem)");
    const fit = () => { list.open = wide.matches; };
    fit();
    wide.addEventListener("change", fit);
    list.addEventListener("click", (event) => {
      if (event.target.closest("a") && !wide.matches) list.open = false;
    });
    const links = new Map([...list.querySelectorAll("a")].map((a) => [a.hash.slice(1), a]));
    const seen = new Set();
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) seen.add(entry.target.id);
        else seen.delete(entry.target.id);
      }
      const first = [...links.keys()].find((id) => seen.has(id));
      if (!first) return;
      for (const [id, link] of links) {
        if (id === first) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }, { rootMargin: "-20% 0px -60% 0px" });
    for (const id of links.keys()) watch.observe(document.getElementById(id));
  };

  // What a cell is sorted by: its number where the column has numbers, else its text.
  const words = new Intl.Collator("en", { numeric: true });
  const amount = (text) =>
    parseFloat(text.replace("\u2212", "-").replace(/[^-0-9.]/g, ""));

  const sortable = (table) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    if (rows.length < 2) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const numbers = head.classList.contains("n");
      const key = (row) => {
        const cell = row.cells[column];
        if (cell.title) return null;
        return numbers ? amount(cell.textContent) : cell.textContent;
      };
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const [first, second] = numbers
          ? ["descending", "ascending"] : ["ascending", "descending"];
        const now = head.getAttribute("aria-sort");
        const next = now === first ? second : now === second ? null : first;
        for (const other of heads) other.removeAttribute("aria-sort");
        if (next) head.setAttribute("aria-sort", next);
        const sign = next === "descending" ? -1 : 1;
        const keyed = rows.map((row) => [key(row), row]);
        // Cells that tell nothing stay last; a third click gives the first order back.
        if (next) {
          keyed.sort(([a], [b]) =>
            a === null || b === null ? (a === null) - (b === null)
              : sign * (numbers ? a - b : words.compare(a, b)));
        }
        body.append(...keyed.map(([, row]) => row));
      });
    });
  };

  // A table as others write one, with all signs that mean something to them made plain.
  const markdown = ([heads, ...rows], numbers) => {
    const cell = (text) => text.replace(/[\\`*_{}[\]<>#|~&$^@:!]|(?<=www)\./gi, "\\$&");
    const line = (cells) => `| ${cells.join(" | ")} |\n`;
    const rule = line(numbers.map((number) => number ? "--:" : ":--"));
    return line(heads.map(cell)) + rule + rows.map((row) => line(row.map(cell))).join("");
  };
  const named = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "`": "\\textasciigrave{}",
    "[": "{[}", "]": "{]}", "*": "{*}", "−": "$-$", "–": "--", "…": "\\ldots{}",
  };
  const latex = ([heads, ...rows], numbers) => {
    const cell = (text) =>
      text.replace(/-(?=-)|[\\~^<>|`[\]*−–…{}&%$#_]/g, (sign) =>
        sign === "-" ? "-{}" : named[sign] ?? `\\${sign}`);
    const line = (cells) => `${cells.map(cell).join(" & ")} \\\\\n`;
    const columns = numbers.map((number) => number ? "r" : "l").join("");
    return `\\begin{tabular}{${columns}}\n\\hline\n${line(heads)}\\hline\n`
      + `${rows.map(line).join("")}\\hline\n\\end{tabular}\n`;
  };

  const copyable = (table) => {
    const place = table.closest(".data").querySelector(".under");
    const said = document.createElement("output");
    const copy = async (text, what) => {
      place.parentElement.querySelector("textarea")?.remove();
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // Some browsers keep the clipboard from files: then by selection, or by hand.
        const box = document.createElement("textarea");
        box.readOnly = true;
        box.rows = 8;
        box.setAttribute("aria-label", what);
        box.value = text;
        place.after(box);
        box.select();
        if (!document.execCommand("copy")) {
          said.textContent = `Copy the selected ${what}.`;
          return;
        }
        box.remove();
      }
      said.textContent = `Copied as ${what}.`;
    };
    for (const [what, written] of [["Markdown", markdown], ["LaTeX", latex]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Copy as ${what}`;
      button.setAttribute("aria-label", `Copy as ${what}: ${place.dataset.of}`);
      button.addEventListener("click", () => {
        const heads = [...table.tHead.rows[0].cells];
        const plain = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
        const rows = [...table.rows].map((row) => [...row.cells].map(plain));
        copy(written(rows, heads.map((head) => head.classList.contains("n"))), what);
      });
      place.append(button);
    }
    place.append(said);
  };

  const filters = () => {
    const box = document.getElementById("page-filters");
    if (!box) return;
    const choices = [...box.querySelectorAll("select")];
    const singles = [...document.querySelectorAll(".single")].map((element) => ({
      element, keys: element.dataset.keys.split("|").map((values) => values.split(" ")),
    }));
    const count = document.getElementById("page-count");
    const show = () => {
      let shown = 0;
      for (const { element, keys } of singles) {
        const fits = choices.every((choice) =>
          choice.value === "" || keys[choice.dataset.filter].includes(choice.value));
        element.hidden = !fits;
        shown += fits;
      }
      count.textContent = `${shown} of ${singles.length} shown`;
    };
    box.addEventListener("change", show);
    document.getElementById("page-clear").addEventListener("click", () => {
      for (const choice of choices) choice.value = "";
      show();
    });
    box.hidden = false;
    show();  // A browser may have kept choices over a reload.
  };

  document.addEventListener("DOMContentLoaded", () => {
    themeChoice();
    contents();
    document.querySelectorAll("table.sortable").forEach(sortable);
    document.querySelectorAll("table.sortable").forEach(copyable);
    filters();
  });
})();
