// Written by `npm run docs` from src/pages/browser. Changes here are lost.

// src/pages/browser/service.js
var pageData = () => JSON.parse(
  /** @type {HTMLElement} */
  document.getElementById("page").textContent ?? "{}"
);
async function standsNow() {
  try {
    const answer = await fetch(location.href);
    return answer.ok ? / data-stands="([^"]*)"/.exec(await answer.text())?.[1] ?? null : void 0;
  } catch {
    return void 0;
  }
}
var pause = (ms) => new Promise((done) => setTimeout(done, ms));
var EVERY_MS = 2e3;
var LONGEST_MS = 3e4;
async function* pauses() {
  for (let round = 1; ; round++) {
    await pause(Math.min(EVERY_MS * 1.2 ** round, LONGEST_MS));
    if (!document.hidden) yield round;
  }
}
var lookAgain = () => location.replace(location.href);

// src/pages/browser/watch-payout.js
var page = pageData();
for await (const _round of pauses()) {
  const stands = await standsNow();
  if (stands !== void 0 && stands !== page.stands) lookAgain();
}
