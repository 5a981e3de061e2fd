// Written by `npm run docs` from src/pages/browser. Changes here are lost.

// src/pages/browser/parts.js
var fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");

// src/pages/browser/service.js
var pageData = () => JSON.parse(
  /** @type {HTMLElement} */
  document.getElementById("page").textContent ?? "{}"
);
var pause = (ms) => new Promise((done) => setTimeout(done, ms));

// src/pages/browser/return.js
var { returns } = pageData();
var back = (
  /** @type {HTMLAnchorElement} */
  document.getElementById("back")
);
var countdown = (
  /** @type {HTMLElement} */
  document.getElementById("returning")
);
for (let left = returns.seconds; left > 0; left--) {
  countdown.textContent = fill(returns.words, { seconds: String(left) });
  await pause(1e3);
}
location.href = back.href;
