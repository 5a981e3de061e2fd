// Written by `npm run docs` from src/pages/browser. Changes here are lost.

// src/pages/browser/parts.js
function element(tag, { text, ...attributes } = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== void 0 && value !== null && value !== false) made.setAttribute(name, String(value));
  }
  if (text !== void 0) made.textContent = String(text);
  made.append(...inside.filter((one) => one !== null && one !== void 0));
  return made;
}

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
var lookAgain = () => location.replace(location.href);

// src/pages/browser/frames.js
function send(action, fields, target) {
  const inputs = Object.entries(fields).map(([name, value]) => element("input", { type: "hidden", name, value }));
  const form = element("form", { method: "post", action, target, hidden: true }, ...inputs);
  document.body.append(form);
  form.submit();
}
function seenBy(url, fields, within_ms) {
  const frame = element("iframe", { name: "hidden", hidden: true, title: "hidden", ...fields === null && { src: url } });
  const isBlank = () => frame.contentDocument?.URL === "about:blank";
  const seen = (
    /** @type {Promise<'Y'>} */
    new Promise((done) => frame.addEventListener("load", () => isBlank() || done("Y")))
  );
  document.body.append(frame);
  if (fields !== null) send(url, fields, "hidden");
  return Promise.race([seen, pause(within_ms).then(() => (
    /** @type {'N'} */
    "N"
  ))]);
}

// src/pages/browser/answer.js
var page = pageData();
var service = serviceOf(page);
async function bring(body) {
  for (let round = 1; ; round++) {
    const answer = await service.complete(body);
    if (answer.status === 200) return answer.body;
    if (answer.status >= 400 && answer.status < 500) return null;
    await pause(1e3 * Math.min(round, 10));
  }
}
if (page.collects.frame) {
  const { url, fields, within_ms } = page.collects.frame;
  await bring({ threeds_method_comp_ind: await seenBy(url, fields, within_ms) });
  lookAgain();
} else {
  const form = (
    /** @type {HTMLFormElement} */
    document.getElementById("code")
  );
  const input = (
    /** @type {HTMLInputElement} */
    form.elements.namedItem("otp")
  );
  const wrong = (
    /** @type {HTMLElement} */
    document.getElementById("otp-error")
  );
  const say = (message) => {
    wrong.textContent = message;
    if (message === "") return input.removeAttribute("aria-invalid");
    input.setAttribute("aria-invalid", "true");
    input.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const otp = input.value.trim();
    if (!/^\d{4,8}$/.test(otp)) return say(wrong.dataset.form ?? "");
    say("");
    form.inert = true;
    const payment = await bring({ otp });
    form.inert = false;
    if (payment?.status === page.status) return say(wrong.dataset.wrong ?? "");
    lookAgain();
  });
}
