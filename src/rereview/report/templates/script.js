"use strict";
// A place inside a folded part is unfolded when it is gone to, and everything is for printing.
function unfold(element) {
  for (let at = element; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
  }
}
function arrive() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  unfold(target);
  target.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", arrive);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

// j and k go through the findings.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "j" && event.key !== "k")) return;
  const all = [...document.querySelectorAll(".finding")];
  const at = all.findIndex((finding) => "#" + finding.id === location.hash);
  const next = all[at + (event.key === "j" ? 1 : -1)];
  if (next) location.hash = next.id;
});
if (location.hash) arrive();
