// Written by `npm run docs` from src/pages/browser. Changes here are lost.

// src/pages/browser/contrast.js
function rgbOf(hex) {
  const digits = hex.slice(1);
  const long = digits.length === 3 ? [...digits].map((one) => one + one).join("") : digits;
  return [0, 2, 4].map((at2) => Number.parseInt(long.slice(at2, at2 + 2), 16));
}
function luminance(hex) {
  const [r = 0, g = 0, b = 0] = rgbOf(hex).map((one) => one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
var LETTERS = 4.5;
function lettersOn(colour2) {
  const best = contrast(colour2, "#ffffff") >= contrast(colour2, "#0b0f17") ? "#ffffff" : "#0b0f17";
  return contrast(colour2, best) >= LETTERS ? best : "#000000";
}

// src/pages/browser/appearance.js
var ACCENT = "#1457d9";
var grounds = { light: "#ffffff", dark: "#171e2a" };
var LETTERS2 = 4.5;
var LINES = 3;
var colour = (value) => typeof value === "string" && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
var among = (...allowed) => (value) => allowed.includes(
  /** @type {string} */
  value
);
var text = (form) => (value) => typeof value === "string" && form.test(value);
var members = {
  theme: among("light", "dark", "auto"),
  layout: among("accordion", "spaced_accordion", "tabs"),
  labels: among("above", "floating"),
  accent: colour,
  onAccent: colour,
  background: colour,
  radius: text(/^(?:\d|1\d|2[0-4])(?:\.\d{1,2})?px$/),
  fontFamily: text(/^[\p{L}\d ,'"-]{1,200}$/u)
};
var isFont = (value) => typeof value === "object" && value !== null && text(/^[\p{L}\d -]{1,60}$/u)(value.family) && text(/^https:\/\/[^\s"'()\\]{1,500}\.woff2?$/)(value.src) && (value.weight === void 0 || text(/^[1-9]\d{0,2}(?: [1-9]\d{0,2})?$/)(String(value.weight))) && (value.style === void 0 || among("normal", "italic")(value.style));
function readAppearance(asked2) {
  const faults = [];
  const taken = { theme: "light", layout: "accordion", labels: "above", fonts: [] };
  for (const [name, value] of Object.entries(typeof asked2 === "object" && asked2 !== null ? asked2 : {})) {
    if (value === void 0) continue;
    if (name === "fonts" && Array.isArray(value) && value.length <= 8 && value.every(isFont)) taken.fonts = value;
    else if (
      /** @type {Record<string, (value: unknown) => boolean>} */
      members[name]?.(value)
    ) taken[name] = value;
    else faults.push(name);
  }
  if (taken.background) taken.theme = lettersOn(taken.background) === "#ffffff" ? "dark" : "light";
  const ground = taken.background ?? grounds.light;
  if (taken.accent && taken.theme !== "dark" && contrast(taken.accent, ground) < LINES) {
    faults.push("accent");
    taken.accent = void 0;
  }
  if (taken.onAccent && contrast(taken.onAccent, taken.accent ?? ACCENT) < LETTERS2) {
    faults.push("onAccent");
    taken.onAccent = void 0;
  }
  return { taken, faults };
}
function applyAppearance(taken) {
  const { theme, layout, labels, accent = ACCENT, onAccent = lettersOn(accent), radius, fontFamily, fonts } = taken;
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.scheme;
  else root.dataset.scheme = theme;
  const say = (name, value) => value === void 0 ? root.style.removeProperty(name) : root.style.setProperty(name, value);
  say("--theme", taken.accent);
  say("--button", accent);
  say("--on-button", onAccent);
  say("--round", radius);
  say("font-family", fontFamily);
  const { classList } = document.body;
  for (const name of [...classList]) if (/^(?:ways|labels)-/.test(name)) classList.remove(name);
  classList.add(`ways-${layout}`, `labels-${labels}`);
  for (const { family, src, weight = "400", style = "normal" } of fonts) {
    const font = new FontFace(family, `url("${src}")`, { weight: String(weight), style, display: "swap" });
    document.fonts.add(font);
    font.load().catch(() => {
    });
  }
}

// src/pages/browser/channel.js
var PROTOCOL = 1;
function openChannel() {
  const around = window.parent;
  const handlers = /* @__PURE__ */ new Map();
  let peer = null;
  let begins;
  const began = new Promise((done2) => {
    begins = done2;
  });
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== around || around === window || data?.switchyard !== PROTOCOL || typeof data.channel !== "string") return;
    if (peer === null) {
      if (data.type !== "init" || !/^https?:/.test(origin)) return;
      peer = { origin, channel: data.channel };
      return begins(data);
    }
    if (origin === peer.origin && data.channel === peer.channel) handlers.get(data.type)?.(data);
  });
  if (around !== window) around.postMessage({ switchyard: PROTOCOL, type: "hello" }, "*");
  return {
    began,
    on: (type, handler) => void handlers.set(type, handler),
    post(type, data = {}) {
      if (peer !== null) around.postMessage({ ...data, switchyard: PROTOCOL, channel: peer.channel, type }, peer.origin);
    }
  };
}
var seenOutside = (payment) => {
  const names = "payment_id status amount currency payment_method payment_method_type error_code error_message manual_retry_allowed";
  return Object.fromEntries(names.split(" ").map((name) => [name, payment[name] ?? null]));
};

// src/pages/browser/element-frame.js
var failure = (type, code, message, developer_message = void 0, more = {}) => ({
  error: { type, code, message, ...developer_message !== void 0 && { developer_message }, ...more }
});

// src/pages/browser/parts.js
function element(tag, { text: text2, ...attributes } = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== void 0 && value !== null && value !== false) made.setAttribute(name, String(value));
  }
  if (text2 !== void 0) made.textContent = String(text2);
  made.append(...inside.filter((one) => one !== null && one !== void 0));
  return made;
}

// src/pages/browser/service.js
var pageData = () => JSON.parse(
  /** @type {HTMLElement} */
  document.getElementById("page").textContent ?? "{}"
);
var caller = ({ root, publishable_key: publishable_key2, client_secret: client_secret2, actions = "all" }) => (
  /** @returns {Promise<Answer>} */
  async (method, path, body = void 0) => {
    try {
      const answer = await fetch(new URL(root + path, location.href), {
        method,
        headers: { "api-key": publishable_key2, "content-type": "application/json", "x-next-actions": actions },
        ...body && { body: JSON.stringify({ client_secret: client_secret2, ...body }) }
      });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return { status: 0, body: null };
    }
  }
);
function serviceOf(access) {
  const { payment_id: payment_id2, client_secret: client_secret2 } = access;
  const call = caller(access);
  const get = (path, more = "") => call("GET", `${path}?client_secret=${encodeURIComponent(client_secret2 ?? "")}${more}`);
  return {
    methods: () => get("account/payment_methods"),
    saved: () => get("customers/payment_methods"),
    payment: (ask2 = false) => get(`payments/${payment_id2}`, ask2 ? "&force_sync=true" : ""),
    askIssuer: (body) => call("POST", `payments/${payment_id2}/3ds/authentication`, body),
    /** Returns the networks of a card that has several; null for all other cards, or if the networks are unknown. */
    networksOf: async (card_number) => {
      const ask2 = { payment_method_type: "card", payment_method_data: { card: { card_number } } };
      const { status, body } = await call("POST", `payments/${payment_id2}/eligibility`, ask2);
      return (
        /** @type {string[] | null} */
        status === 200 ? body.card_networks : null
      );
    },
    /** Returns the session token that opens a wallet. */
    wallet: (type) => call("POST", "payments/session_tokens", { payment_id: payment_id2, wallets: [type] }),
    confirm: (body) => call("POST", `payments/${payment_id2}/confirm`, body),
    forget: ({ customer_id, payment_method_id }) => customerServiceOf({ ...access, ephemeral_key: access.ephemeral_key ?? "", customer_id }).forget(payment_method_id),
    complete: (body) => call("POST", `payments/${payment_id2}/complete_authorize`, body)
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
var pause = (ms) => new Promise((done2) => setTimeout(done2, ms));
var EVERY_MS = 2e3;
var LONGEST_MS = 3e4;
async function* pauses() {
  for (let round = 1; ; round++) {
    await pause(Math.min(EVERY_MS * 1.2 ** round, LONGEST_MS));
    if (!document.hidden) yield round;
  }
}

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
    new Promise((done2) => frame.addEventListener("load", () => isBlank() || done2("Y")))
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
async function until(ask2, isEnough) {
  for (let round = 1; ; round++) {
    const answer = await ask2();
    if (isEnough(answer)) return answer;
    await pause(1e3 * Math.min(round, 10));
  }
}

// src/pages/browser/sdk-action.js
var channel = openChannel();
var page = pageData();
var at = (id) => (
  /** @type {HTMLElement} */
  document.getElementById(id)
);
var bank = (
  /** @type {HTMLIFrameElement} */
  at("bank")
);
var init = await channel.began;
var { publishable_key, client_secret } = init;
var payment_id = String(client_secret).split("_secret_")[0] ?? "";
var service = serviceOf({ root: page.root, publishable_key, client_secret, payment_id, actions: "page" });
channel.on("retrieve", async ({ id }) => channel.post("result", { id, ...await retrieved() }));
applyAppearance(readAppearance(init.appearance).taken);
var SESSION = "The session of the payment is over, or its client_secret or the publishable key is not known";
async function asked() {
  for (let round = 1; ; round++) {
    const { status, body } = await service.payment(round > 1);
    if (status === 200) return { payment: body };
    if (status >= 400 && status < 500) return failure("session_error", "session_expired", page.words.over, SESSION);
    if (round === 5) return failure("connection_error", "service_unreachable", page.words.silent);
    await pause(500 * round);
  }
}
async function retrieved() {
  const answer = await asked();
  return "payment" in answer ? { payment: seenOutside(answer.payment) } : answer;
}
var shows = "";
var isOver = false;
function done(result) {
  if (isOver) return;
  isOver = true;
  channel.post("done", result);
}
async function act() {
  at("close").addEventListener("click", leave);
  addEventListener("keydown", (event) => event.key === "Escape" && leave());
  at("whole").addEventListener("click", () => channel.post("redirect", { url: shows }));
  addEventListener("message", ({ source, data }) => {
    if (source === bank.contentWindow && (data?.openurl_if_required || data?.poll_status)) look(true);
  });
  bank.addEventListener("load", () => bank.classList.add("loaded"));
  at("close").focus();
  await look(false);
  for await (const _round of pauses()) {
    if (isOver) return;
    await look(false);
  }
}
var leave = () => done({ closed: true });
async function look(through) {
  const answer = through ? await decided() : await asked();
  if (isOver) return;
  if ("error" in answer) return done(answer);
  const { status, next_action, payment_method } = answer.payment;
  if (status !== "requires_customer_action" || !next_action) return done({ payment: seenOutside(answer.payment) });
  const address = next_action.redirect_to_url ?? next_action.popup_url;
  const next = address ?? next_action.type;
  if (next === shows) return;
  shows = next;
  if (next_action.type === "three_ds_invoke") return ask(next_action.three_ds_data);
  if (!address)
    return done(
      failure("action_error", "action_unsupported", page.words.notTaken, "The next action of the payment is for a script of its processor")
    );
  const isOurs = new URL(address).pathname.includes("/waiting/");
  if (payment_method !== "card" && !isOurs) return channel.post("redirect", { url: address });
  at("whole").hidden = isOurs;
  bank.src = address;
}
var ROUNDS = 5;
async function decided() {
  for (let round = 1; ; round++) {
    const { status, body } = await service.payment(true);
    if (status === 200 && (body.status !== "requires_customer_action" || round === ROUNDS)) return { payment: body };
    if (status !== 200 && round === ROUNDS) return asked();
    await pause(400 * round);
  }
}
async function ask({
  three_ds_method_details: { three_ds_method_data_submission: isAsked, three_ds_method_url: url, three_ds_method_data }
}) {
  const method = isAsked ? { url, data: three_ds_method_data } : null;
  const ended = await askIssuer(service, method, (address, fields) => send(address, fields, "bank"));
  if (ended === "decided") await look(true);
}
if (init.acts === true) act();
