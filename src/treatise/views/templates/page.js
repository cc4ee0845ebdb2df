"use strict";
const nodes = [...document.querySelectorAll("details")];
const levels = document.getElementById("levels");
levels.max = Math.max(1, ...nodes.map(node => Number(node.dataset.level) + 1));
levels.addEventListener("input", () => {
  for (const node of nodes) node.open = Number(node.dataset.level) < Number(levels.value);
});

const passages = [...document.querySelectorAll("p.unit, .links li")];
document.getElementById("find").addEventListener("input", event => {
  const wanted = event.target.value.trim().toLowerCase();
  let n = 0;
  for (const passage of passages) {
    const hit = wanted !== "" && passage.textContent.toLowerCase().includes(wanted);
    passage.classList.toggle("hit", hit);
    if (!hit) continue;
    if (++n === 1) passage.scrollIntoView({block: "center"});
    for (let up = passage.parentElement; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  }
  document.getElementById("found").textContent = wanted ? `${n} found` : "";
});

const arcs = [...document.querySelectorAll(".arc")];
for (const arc of arcs) {
  arc.addEventListener("mouseenter", () => arcs.forEach(other => other.classList.toggle("faded", other !== arc)));
  arc.addEventListener("mouseleave", () => arcs.forEach(other => other.classList.remove("faded")));
}
