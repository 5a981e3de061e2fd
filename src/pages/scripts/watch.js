// Written by `npm run docs` from src/pages/browser. Changes here are lost.

// src/pages/browser/service.js
var pageData = () => JSON.parse(
  /** @type {HTMLElement} */
  document.getElementById("page").textContent ?? "{}"
);
var caller = ({ root, publishable_key, client_secret, actions = "all" }) => (
  /** @returns {Promise<Answer>} */
  async (method, path, body = void 0) => {
    try {
      const answer = await fetch(new URL(root + path, location.href), {
        method,
        headers: { "api-key": publishable_key, "content-type": "application/json", "x-next-actions": actions },
        ...body && { body: JSON.stringify({ client_secret, ...body }) }
      });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return { status: 0, body: null };
    }
  }
);
function serviceOf(access) {
  const { payment_id, client_secret } = access;
  const call = caller(access);
  const get = (path, more = "") => call("GET", `${path}?client_secret=${encodeURIComponent(client_secret ?? "")}${more}`);
  return {
    methods: () => get("account/payment_methods"),
    saved: () => get("customers/payment_methods"),
    payment: (ask = false) => get(`payments/${payment_id}`, ask ? "&force_sync=true" : ""),
    askIssuer: (body) => call("POST", `payments/${payment_id}/3ds/authentication`, body),
    /** Returns the networks of a card that has several; null for all other cards, or if the networks are unknown. */
    networksOf: async (card_number) => {
      const ask = { payment_method_type: "card", payment_method_data: { card: { card_number } } };
      const { status, body } = await call("POST", `payments/${payment_id}/eligibility`, ask);
      return (
        /** @type {string[] | null} */
        status === 200 ? body.card_networks : null
      );
    },
    /** Returns the session token that opens a wallet. */
    wallet: (type) => call("POST", "payments/session_tokens", { payment_id, wallets: [type] }),
    confirm: (body) => call("POST", `payments/${payment_id}/confirm`, body),
    forget: ({ customer_id, payment_method_id }) => customerServiceOf({ ...access, ephemeral_key: access.ephemeral_key ?? "", customer_id }).forget(payment_method_id),
    complete: (body) => call("POST", `payments/${payment_id}/complete_authorize`, body)
  };
}
function customerServiceOf({ root, ephemeral_key, customer_id }) {
  const call = caller({ root, publishable_key: ephemeral_key, client_secret: void 0 });
  const path = `customers/${encodeURIComponent(customer_id)}/payment_methods`;
  const of = (id) => `${path}/${encodeURIComponent(id)}`;
  return {
    list: () => call("GET", path),
    makeDefault: (id) => call("POST", `${of(id)}/default`, {}),
    /** Deletes a saved payment method. @param {string} id */
    forget: (id) => call("DELETE", of(id))
  };
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

// src/pages/browser/watch.js
var page = pageData();
var service = serviceOf(page);
var until = document.getElementById("until");
if (until) {
  const { until: at = "", words = "", locale } = until.dataset;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(new Date(at));
  until.textContent = words.replace("{date}", date);
}
for await (const round of pauses()) {
  const { status, body } = await service.payment(round % 4 === 0);
  if (status === 200 && body.status !== page.status) lookAgain();
  if (status >= 400 && status < 500) break;
}
