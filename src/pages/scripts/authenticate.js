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
var browserInfo = () => ({
  user_agent: navigator.userAgent,
  accept_header: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  language: navigator.language,
  color_depth: screen.colorDepth,
  screen_height: screen.height,
  screen_width: screen.width,
  time_zone: (/* @__PURE__ */ new Date()).getTimezoneOffset(),
  java_enabled: false,
  java_script_enabled: true
});
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

// src/pages/browser/issuer.js
var METHOD_MS = 1e4;
async function askIssuer(service2, method, challenge) {
  const seen = method === null ? "U" : await seenBy(method.url, { threeDSMethodData: method.data }, METHOD_MS);
  const body = { device_channel: "BRW", threeds_method_comp_ind: seen, browser_info: browserInfo() };
  const answer = await until(
    () => service2.askIssuer(body),
    // Refused: the session has ended, or the payment's status is no longer the one that this page shows.
    ({ status }) => status === 200 || status >= 400 && status < 500 && status !== 422
  );
  if (answer.status !== 200) return "decided";
  const { trans_status, acs_url, challenge_request, challenge_request_key } = answer.body;
  if (trans_status === "C") {
    challenge(acs_url, { [challenge_request_key]: challenge_request });
    return "challenged";
  }
  await until(
    () => service2.payment(true),
    ({ status, body: body2 }) => status === 200 && body2.next_action?.type !== "three_ds_invoke" || status >= 400 && status < 500
  );
  return "decided";
}
async function until(ask, isEnough) {
  for (let round = 1; ; round++) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    await pause(1e3 * Math.min(round, 10));
  }
}

// src/pages/browser/authenticate.js
var page = pageData();
var service = serviceOf(page);
async function authenticate() {
  const ended = await askIssuer(service, page.authentication.method, (address, fields) => send(address, fields, "_top"));
  if (ended === "decided") lookAgain();
}
var [arrival] = (
  /** @type {PerformanceNavigationTiming[]} */
  performance.getEntriesByType("navigation")
);
var onward = (
  /** @type {HTMLElement} */
  document.getElementById("authenticate")
);
onward.addEventListener("click", () => {
  onward.hidden = true;
  authenticate();
});
if (arrival?.type === "back_forward") onward.hidden = false;
else authenticate();
addEventListener("pageshow", (event) => {
  if (event.persisted) onward.hidden = false;
});
