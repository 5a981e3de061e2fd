// Written by `npm run docs` from src/pages/browser. Changes here are lost.

// src/pages/browser/channel.js
var PROTOCOL = 1;
function openChannel() {
  const around = window.parent;
  const handlers = /* @__PURE__ */ new Map();
  let peer = null;
  let begins;
  const began = new Promise((done) => {
    begins = done;
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
function reportToParent({ post }, whole) {
  let height = 0;
  const measure = () => {
    const now = Math.ceil(whole.getBoundingClientRect().height);
    if (now === height || whole.querySelector(":scope > .loading:not([hidden])")) return;
    height = now;
    post("resize", { height });
  };
  new ResizeObserver(measure).observe(whole);
  measure();
  addEventListener("focusin", () => post("focus"));
  addEventListener("focusout", (event) => event.relatedTarget === null && post("blur"));
  addEventListener("keydown", (event) => event.key === "Escape" && post("escape"));
}

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
var text = (form2) => (value) => typeof value === "string" && form2.test(value);
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
function readAppearance(asked) {
  const faults = [];
  const taken = { theme: "light", layout: "accordion", labels: "above", fonts: [] };
  for (const [name, value] of Object.entries(typeof asked === "object" && asked !== null ? asked : {})) {
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

// src/pages/browser/element-frame.js
var failure = (type, code, message, developer_message = void 0, more = {}) => ({
  error: { type, code, message, ...developer_message !== void 0 && { developer_message }, ...more }
});
function beginFrame(channel2, appearance, focus) {
  const look = (asked) => {
    const { taken, faults } = readAppearance(asked);
    applyAppearance(taken);
    channel2.post("drawn", { theme: taken.theme });
    if (faults.length === 0) return;
    const message = "These members of appearance are not as they must be, or cannot be read well, and are not used";
    channel2.post("error", failure("integration_error", "appearance_invalid", "", `${message}: ${faults.join(", ")}`));
  };
  look(appearance);
  reportToParent(
    channel2,
    /** @type {HTMLElement} */
    document.querySelector("main")
  );
  channel2.on("update", (data) => look(data.appearance));
  channel2.on("focus", focus);
  channel2.on("blur", () => (
    /** @type {HTMLElement | null} */
    document.activeElement?.blur()
  ));
}
function changes(channel2) {
  let posted = "";
  return (way) => {
    const say = { complete: way?.ready() ?? false, value: { type: way?.type ?? null } };
    if (JSON.stringify(say) === posted) return;
    posted = JSON.stringify(say);
    channel2.post("change", say);
  };
}
function priced({ locale, decimals }, amount, currency) {
  const digits = decimals[currency] ?? 2;
  const written = { style: (
    /** @type {'currency'} */
    "currency"
  ), currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, written).format(amount / 10 ** digits);
}

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
var SVG = "http://www.w3.org/2000/svg";
function mark(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "mark");
  svg.setAttribute("viewBox", "0 0 38 24");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#mark-${name}`);
  svg.append(use);
  return svg;
}
var fill = (text2, facts) => text2.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
var count = 0;
function field({ label, optional, hint, beside, check, onInput, options, ...attributes }) {
  const id = `field-${++count}`;
  const error = element("p", { id: `${id}-error`, class: "error" });
  const help = hint === void 0 ? null : element("p", { id: `${id}-hint`, class: "hint", text: hint });
  const described = () => [error.textContent ? error.id : help?.id].filter(Boolean).join(" ");
  const input = options ? element("select", { id, ...attributes }, ...options.map(([value, text2]) => element("option", { value, text: text2 }))) : element("input", { id, type: "text", ...attributes });
  const name = element("label", { for: id, text: label }, optional ? element("span", { class: "optional", text: ` (${optional})` }) : null);
  const whole = element("div", { class: "field" }, name, element("div", { class: "input" }, input, beside), help, error);
  let touched = false;
  const say = (fault) => {
    error.textContent = fault ?? "";
    if (fault) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    const by = described();
    if (by) input.setAttribute("aria-describedby", by);
    else input.removeAttribute("aria-describedby");
  };
  say(null);
  input.addEventListener("input", () => {
    onInput?.();
    if (touched && check(input.value) === null) say(null);
  });
  input.addEventListener("blur", () => {
    if (input.value === "") return;
    touched = true;
    say(check(input.value));
  });
  return {
    whole,
    input,
    help,
    get value() {
      return input.value;
    },
    ready: () => check(input.value) === null,
    /** Shows the error, if any. Returns whether the value is valid. */
    hold() {
      touched = true;
      const fault = check(input.value);
      say(fault);
      return fault === null;
    },
    say
  };
}
function rewrite(input, form2) {
  const before = input.value;
  const caret = input.selectionStart ?? before.length;
  const after = form2(before);
  if (after === before) return;
  const digits = before.slice(0, caret).replace(/\D/g, "").length;
  input.value = after;
  if (caret === before.length) return input.setSelectionRange(after.length, after.length);
  let at2 = 0;
  for (let seen2 = 0; at2 < after.length && seen2 < digits; at2++) if (/\d/.test(
    /** @type {string} */
    after[at2]
  )) seen2++;
  input.setSelectionRange(at2, at2);
}

// src/pages/browser/ended.js
function drawEnd({ words: texts2, outcomes }, at2, form2, status, resume) {
  const { tone, heading, says: message } = outcomes[status] ?? outcomes.processing;
  const onward = resume && element("button", { type: "button", class: "button", text: texts2.resume });
  onward?.addEventListener("click", () => resume?.());
  form2.hidden = true;
  document.querySelector(".express")?.remove();
  at2("alert").replaceChildren();
  at2("ended").replaceChildren(
    element(
      "section",
      { class: `outcome ${tone}` },
      element("span", { class: "sign", "aria-hidden": "true" }),
      element("h1", { text: heading }),
      element("p", { role: "status", text: message }),
      onward
    )
  );
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
function recipientServiceOf(access) {
  const call = caller(access);
  const path = `payouts/${access.payout_id}`;
  return {
    payout: () => call("GET", `${path}/client?client_secret=${encodeURIComponent(access.client_secret ?? "")}`),
    confirm: (body) => call("POST", `${path}/confirm`, body)
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

// src/pages/browser/form.js
function pageForm() {
  const at2 = (id) => (
    /** @type {HTMLElement} */
    document.getElementById(id)
  );
  const form2 = (
    /** @type {HTMLFormElement} */
    at2("pay")
  );
  const submit = (
    /** @type {HTMLButtonElement} */
    at2("submit")
  );
  let busy = false;
  return {
    form: form2,
    submit,
    at: at2,
    isBusy: () => busy,
    /** Shows an error and moves the focus to it, so that screen readers read it. */
    showError(message, more = null) {
      at2("alert").replaceChildren(element("p", { class: "alert", text: message }, more));
      at2("alert").focus();
    },
    calm: () => at2("alert").replaceChildren(),
    /** Shows the progress and locks the form, so that nothing can be changed or sent twice; null unlocks the form. */
    work(message) {
      busy = message !== null;
      at2("progress").textContent = message ?? "";
      form2.classList.toggle("busy", busy);
      submit.setAttribute("aria-disabled", String(busy));
      at2("ways").inert = busy;
      const wallets = (
        /** @type {HTMLElement | null} */
        document.querySelector(".express")
      );
      if (wallets) wallets.inert = busy;
    }
  };
}
var LONGEST_TIMER_MS = 2 ** 31 - 1;

// src/pages/browser/card.js
var digitsOf = (text2) => text2.replace(/\D/g, "");
function kindOf(number, kinds) {
  let found = null;
  let longest2 = 0;
  for (const kind of kinds)
    for (const pattern of kind.patterns) {
      const [from, to] = typeof pattern === "number" ? [pattern, pattern] : pattern;
      const length = String(from).length;
      const begins = Number(number.slice(0, length));
      if (number.length >= length && begins >= from && begins <= to && length > longest2) [found, longest2] = [kind, length];
    }
  return found;
}
function grouped(number, kind) {
  const gaps = kind?.gaps ?? [4, 8, 12];
  return [...number].map((digit, i) => gaps.includes(i) ? ` ${digit}` : digit).join("");
}
var longest = (kind) => Math.max(...kind?.lengths ?? [19]);
function passesLuhn(number) {
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
function numberFault(number, kinds, networks) {
  if (number === "") return "numberMissing";
  const kind = kindOf(number, kinds);
  if (kind && !networks.includes(kind.network)) return "networkRefused";
  if (number.length < Math.min(...kind?.lengths ?? [12])) return "numberShort";
  return passesLuhn(number) && (!kind || kind.lengths.includes(number.length)) ? null : "numberWrong";
}
function dated(text2) {
  let digits = digitsOf(text2);
  if (/^\d\d20\d\d$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  const month = digits.slice(0, 2);
  return digits.length > 2 ? `${month} / ${digits.slice(2)}` : month + (/^\d\d\s*\/\s*$/.test(text2) ? " / " : "");
}
function expiryOf(text2, now) {
  const digits = digitsOf(text2);
  if (digits === "") return "expiryMissing";
  const month = Number(digits.slice(0, 2));
  if (digits.length !== 4 || month < 1 || month > 12) return "expiryWrong";
  const year = 2e3 + Number(digits.slice(2));
  if (year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1) return "expired";
  if (year > now.getFullYear() + 30) return "expiryWrong";
  return { month: digits.slice(0, 2), year: String(year) };
}
function codeFault(code, kind) {
  if (code === "") return "codeMissing";
  return kind ? code.length === kind.code ? null : "codeWrong" : code.length === 3 || code.length === 4 ? null : "codeWrong";
}

// src/pages/browser/card-form.js
function cardForm(page2, networks, changed, { asksCode } = { asksCode: true }) {
  const { words: texts2, kinds, marked } = page2;
  const kind = () => kindOf(digitsOf(number.value), kinds);
  const sign = element("span", { class: "marks-beside" });
  const shown = networks.filter((name2) => marked.includes(name2)).slice(0, 4);
  const drawn = () => {
    const network = kind()?.network;
    sign.replaceChildren(...(network && marked.includes(network) ? [network] : digitsOf(number.value) === "" ? shown : ["card"]).map(mark));
  };
  const number = field({
    label: texts2.number,
    inputmode: "numeric",
    autocomplete: "cc-number",
    name: "cardnumber",
    placeholder: "1234 1234 1234 1234",
    maxlength: 24,
    required: true,
    beside: sign,
    check: (value) => {
      const fault = numberFault(digitsOf(value), kinds, networks);
      return fault && fill(texts2[fault], { network: kind()?.network ?? "" });
    },
    onInput() {
      rewrite(
        /** @type {HTMLInputElement} */
        number.input,
        (text2) => {
          const is = kindOf(digitsOf(text2), kinds);
          return grouped(digitsOf(text2).slice(0, longest(is)), is);
        }
      );
      drawn();
      codeLength();
      choice.look(digitsOf(number.value));
      changed();
    }
  });
  const choice = networkChoice(page2, (digits) => numberFault(digits, kinds, networks) === null);
  const expiry = field({
    label: texts2.expiry,
    inputmode: "numeric",
    autocomplete: "cc-exp",
    name: "exp-date",
    placeholder: texts2.expiryForm,
    maxlength: 9,
    required: true,
    check: (value) => {
      const read2 = expiryOf(value, /* @__PURE__ */ new Date());
      return typeof read2 === "string" ? texts2[read2] : null;
    },
    onInput() {
      rewrite(
        /** @type {HTMLInputElement} */
        expiry.input,
        dated
      );
      changed();
    }
  });
  const code = codeField(page2, kind, changed);
  const codeLength = () => code.expects(kind());
  const name = field({
    label: texts2.name,
    autocomplete: "cc-name",
    name: "ccname",
    maxlength: 255,
    optional: texts2.optional,
    check: () => null,
    onInput: changed
  });
  drawn();
  const all = [number, expiry, ...asksCode ? [code.field] : [], name];
  return {
    whole: element(
      "div",
      { class: "card-form" },
      number.whole,
      choice.whole,
      element("div", { class: "two" }, expiry.whole, asksCode ? code.field.whole : null),
      name.whole
    ),
    ready: () => all.every((one) => one.ready()),
    /** Shows the errors of all fields. Returns the first invalid field. */
    fault: () => all.filter((one) => !one.hold())[0]?.input ?? null,
    focus: () => number.input.focus(),
    body() {
      const { month, year } = (
        /** @type {{ month: string, year: string }} */
        expiryOf(expiry.value, /* @__PURE__ */ new Date())
      );
      const network = choice.chosen();
      return {
        card_number: digitsOf(number.value),
        card_exp_month: month,
        card_exp_year: year,
        ...asksCode && { card_cvc: digitsOf(code.field.value) },
        ...name.value.trim() && { card_holder_name: name.value.trim() },
        ...network && { card_network: network }
      };
    }
  };
}
function networkChoice({ words: texts2, networksOf }, isWhole) {
  const whole = element("div", { hidden: true });
  let made = null;
  let asked = "";
  const show = (networks) => {
    made = null;
    if (networks !== null && networks.length > 1)
      made = field({
        label: texts2.network,
        options: networks.map((name) => [name, name.replace(/([a-z])([A-Z])/g, "$1 $2")]),
        check: () => null
      });
    whole.replaceChildren(.../** @type {any} */
    made ? [made.whole] : []);
    whole.hidden = made === null;
  };
  return {
    whole,
    chosen: () => made?.value,
    async look(digits) {
      if (digits === asked || !networksOf) return;
      asked = digits;
      show(null);
      if (!isWhole(digits)) return;
      const networks = await networksOf(digits);
      if (digits === asked) show(networks);
    }
  };
}
function codeField({ words: texts2 }, kind, changed) {
  const made = field({
    label: texts2.code,
    hint: texts2.codeBehind,
    inputmode: "numeric",
    autocomplete: "cc-csc",
    name: "cvc",
    placeholder: "123",
    maxlength: 4,
    required: true,
    check: (value) => {
      const fault = codeFault(digitsOf(value), kind());
      return fault && texts2[fault];
    },
    onInput() {
      rewrite(
        /** @type {HTMLInputElement} */
        made.input,
        digitsOf
      );
      changed();
    }
  });
  return {
    field: made,
    expects(is) {
      const four = is?.code === 4;
      made.input.setAttribute("maxlength", String(is?.code ?? 4));
      made.input.setAttribute("placeholder", four ? "1234" : "123");
      if (made.help) made.help.textContent = four ? texts2.codeInFront : texts2.codeBehind;
    }
  };
}

// src/pages/browser/saved.js
function linkButton(text2, does, more = {}) {
  const made = element("button", { type: "button", class: "link", text: text2, ...more });
  made.addEventListener("click", does);
  return made;
}

// src/pages/browser/ways.js
function put(body, path, value) {
  const parts = path.split(".");
  const last = (
    /** @type {string} */
    parts.pop()
  );
  let at2 = body;
  for (const part of parts) at2 = at2[part] ??= {};
  at2[last] = value;
}
function fieldsWay({ words: texts2 }, { id, type, kind, label, fields, hint, changed, body }) {
  const made = fields.map(({ path, label: label2, more, optional }) => ({
    path,
    field: field({
      label: label2,
      ...optional ? { optional: texts2.optional } : { required: true },
      ...more,
      check: (value) => !optional && value.trim() === "" ? texts2.needed : null,
      onInput: changed
    })
  }));
  return (
    /** @type {Way} */
    {
      id,
      type,
      kind,
      label,
      panel: element("div", {}, ...made.map((one) => one.field.whole), hint === void 0 ? null : element("p", { class: "hint", text: hint })),
      ready: () => made.every((one) => one.field.ready()),
      fault: () => made.filter((one) => !one.field.hold())[0]?.field.input ?? null,
      focus: () => made[0]?.field.input.focus(),
      blame(refusal) {
        const found = made.find(({ path }) => new RegExp(`\\b${path.replaceAll(".", "\\.")}\\b`).test(refusal));
        found?.field.say(texts2.wrong);
        return found?.field.input ?? null;
      },
      body() {
        const whole = body();
        for (const { path, field: field2 } of made) if (field2.value.trim() !== "") put(whole, path, field2.value.trim());
        return whole;
      }
    }
  );
}
var inputAttributes = {
  email: { type: "email", autocomplete: "email" },
  telephone_number: { type: "tel", autocomplete: "tel" },
  account_holder_name: { autocomplete: "name" },
  bank_account_number: { autocomplete: "off" },
  bank_routing_number: { inputmode: "numeric", autocomplete: "off" },
  bank_sort_code: { inputmode: "numeric", autocomplete: "off" },
  iban: { autocomplete: "off", spellcheck: "false", placeholder: "DE00 0000 0000 0000 0000 00" }
};
function recipientWay(page2, way, changed) {
  const { words: texts2 } = page2;
  const place = `payout_method_data.${way.place}`;
  if (way.is === "card") {
    const networks = page2.kinds.map((one) => one.network);
    const form2 = cardForm(page2, networks, changed, { asksCode: false });
    return (
      /** @type {Way} */
      {
        id: "card",
        type: "card",
        label: texts2.card,
        mark: "card",
        panel: form2.whole,
        ready: form2.ready,
        fault: form2.fault,
        focus: form2.focus,
        body() {
          const { card_exp_month: expiry_month, card_exp_year: expiry_year, ...card } = form2.body();
          return { payout_type: "card", payout_method_data: { card: { ...card, expiry_month, expiry_year } } };
        }
      }
    );
  }
  const asked = (name, optional = false) => ({
    path: `${place}.${name}`,
    label: texts2[name],
    more: (
      /** @type {Record<string, object>} */
      inputAttributes[name] ?? { autocomplete: "off" }
    ),
    optional
  });
  return fieldsWay(page2, {
    id: way.type,
    type: way.type,
    label: texts2[way.type],
    fields: [
      ...way.asks.map((name) => asked(name)),
      ...way.option.map((name) => asked(name, true))
    ],
    changed,
    body() {
      const body = { payout_type: way.is };
      put(body, place, { ...way.said });
      return body;
    }
  });
}
var knownWay = ({ words: texts2, there }) => (
  /** @type {Way} */
  {
    id: "there",
    type: "on_file",
    label: texts2.toThere,
    note: there,
    panel: null,
    ready: () => true,
    fault: () => null,
    focus: () => {
    },
    body: () => ({})
  }
);
var nothing = (where) => ({
  id: "",
  label: "",
  panel: null,
  ready: () => false,
  fault: where,
  focus: () => where()?.focus(),
  body: () => ({})
});
var MOST_AT_ONCE = 6;
var FEW = 3;
function folds(texts2, rest) {
  if (rest.length <= FEW) return rest.map(({ row }) => row);
  const byKind = /* @__PURE__ */ new Map();
  for (const { way, row } of rest) {
    const kind = way.kind ?? "kindOther";
    byKind.set(kind, [...byKind.get(kind) ?? [], row]);
  }
  return [...byKind].map(
    ([kind, its]) => element("details", { class: "fold" }, element("summary", { text: `${texts2[kind]} (${its.length})` }), ...its)
  );
}
function chooser({ words: texts2 }, ways, first, chosen) {
  const [only] = ways;
  if (ways.length === 1 && only) return { whole: only.panel ?? element("div"), current: () => only };
  let current = (
    /** @type {Way} */
    first === null ? nothing(() => rows[0]?.row.querySelector("input") ?? null) : ways[first] ?? only
  );
  const rows = ways.map((way) => {
    const id = `way-${way.id}`;
    const input = element("input", { type: "radio", name: "way", id, value: way.id, checked: way === current });
    const label = element(
      "label",
      { for: id },
      way.mark ? mark(way.mark) : null,
      element(
        "span",
        { class: "way-name" },
        element("span", { text: way.label }),
        way.note ? element("span", { class: "note", text: way.note }) : null
      )
    );
    const panel = element("div", { class: "panel" }, way.panel);
    const row = element("div", { class: "way" }, element("div", { class: "way-head" }, input, label), panel);
    input.addEventListener("change", () => {
      current = way;
      draw2();
      chosen(way);
    });
    return { way, row, panel };
  });
  const draw2 = () => {
    for (const { way, row, panel } of rows) {
      row.classList.toggle("chosen", way === current);
      panel.hidden = way !== current || way.panel === null;
    }
  };
  draw2();
  const whole = element("fieldset", { class: "ways" }, element("legend", { text: texts2.payWith }), ...rows.map(({ row }) => row));
  const rest = rows.slice(MOST_AT_ONCE);
  if (rest.length > 1) {
    const folded = element("div", { class: "more-ways" }, ...folds(texts2, rest));
    folded.hidden = true;
    const more = element("button", { type: "button", class: "link more", text: texts2.moreWays });
    more.addEventListener("click", () => {
      folded.hidden = false;
      more.remove();
      const first2 = folded.querySelector("summary, input");
      if (first2 instanceof HTMLElement) first2.focus();
    });
    whole.append(folded, more);
  }
  return { whole, current: () => current };
}

// src/pages/browser/receiving.js
var TRIES = 4;
function recipientForm(page2, frame2, { submit, isDecided, decided: decided2, changed = () => {
}, failed: failed2 = () => {
} }) {
  const { words: texts2 } = page2;
  const { form: form2, at: at2, showError: showError2, calm: calm2, work: work2, isBusy } = frame2;
  const ways = [
    ...page2.there === null ? [] : [knownWay(page2)],
    ...page2.ways.map((way) => recipientWay(page2, way, changed))
  ];
  const list = chooser(page2, ways, 0, () => {
    calm2();
    changed();
  });
  at2("ways").replaceChildren(list.whole);
  form2.hidden = false;
  async function send() {
    if (isBusy()) return;
    const way = list.current();
    const fault = way.fault();
    if (fault) return fault.focus();
    calm2();
    work2(texts2.sending);
    const { status, body } = await submit(way.body());
    if (status === 200) return decided2();
    if (status > 0 && status < 500) return refused(way, body?.error);
    await lookUp();
  }
  async function refused(way, error) {
    if (await isDecided()) return decided2();
    work2(null);
    failed2("request_error", error?.code ?? "refused", texts2.notTaken, error?.message);
    const blamed = way.blame?.(`${error?.message} ${error?.help}`) ?? null;
    if (blamed) return blamed.focus();
    showError2(texts2.notTaken);
  }
  async function lookUp() {
    work2(texts2.checking);
    for (let round = 1; round <= TRIES; round++) {
      await pause(1e3 * round);
      if (await isDecided()) return decided2();
    }
    work2(null);
    failed2("connection_error", "not_received", texts2.notNow);
    showError2(texts2.notNow);
  }
  return { send, current: list.current };
}

// src/pages/browser/sdk-payout.js
var channel = openChannel();
var page = pageData();
var { words: texts } = page;
var frame = pageForm();
var { form, at, showError, calm, work } = frame;
var init = await channel.began;
var { publishable_key, client_secret } = init;
var payout_id = String(client_secret).slice("payout_".length, String(client_secret).lastIndexOf("_secret_"));
var service = recipientServiceOf({ root: page.root, publishable_key, client_secret, payout_id });
var recipient = null;
var payout = null;
var isOver = false;
var failed = (type, code, message, developer_message) => channel.post("error", failure(type, code, message, developer_message));
var reportChange = changes(channel);
beginFrame(channel, init.appearance, () => recipient?.current().focus());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  recipient?.send();
});
begin();
var isOpen = () => page.open.includes(payout?.status);
async function read() {
  const { status, body } = await service.payout();
  if (status === 200) payout = body;
  isOver = status >= 400 && status < 500;
  return { status, error: body?.error };
}
async function begin() {
  at("loading").hidden = false;
  const { status, error } = await read();
  at("loading").hidden = true;
  if (status === 200) {
    if (isOpen()) draw();
    else ended();
    return channel.post("ready");
  }
  if (!isOver) return unreachable();
  ended();
  failed("session_error", error?.code === "IR_01" ? "key_refused" : "session_expired", page.outcomes.expired.says, error?.message);
}
function unreachable() {
  showError(
    texts.notNow,
    linkButton(texts.again, () => {
      calm();
      begin();
    })
  );
  failed("connection_error", "service_unreachable", texts.notNow);
}
function draw() {
  const { amount, currency, merchant_name, description, masked_payout_method, has_payout_method, payout_methods_enabled } = payout;
  const price = priced(page, amount, currency);
  at("heading").textContent = fill(texts.paidBy, { merchant: merchant_name });
  at("amount").textContent = price;
  at("what").textContent = description ?? "";
  at("summary").hidden = false;
  at("submit-words").textContent = fill(texts.receive, { amount: price });
  page.there = has_payout_method ? masked_payout_method : null;
  page.ways = payout_methods_enabled.map((way) => ({
    is: way.payout_type,
    type: way.payout_method_type,
    place: way.path,
    said: way.fixed_fields,
    asks: way.required_fields,
    option: way.optional_fields
  }));
  if (page.there === null && page.ways.length === 0) return showError(texts.noWay);
  const changed = () => reportChange(recipient?.current());
  const isDecided = async () => {
    await read();
    return isOver || !isOpen();
  };
  recipient = recipientForm(page, frame, { submit: sent, isDecided, decided, changed, failed });
  changed();
}
async function sent(body) {
  const answer = await service.confirm(body);
  if (answer.status === 200) payout = { ...payout, ...answer.body };
  return answer;
}
async function decided() {
  const { status } = await read();
  work(null);
  ended();
  if (isOver && status !== 200 && isOpen()) return failed("session_error", "session_expired", page.outcomes.expired.says);
  channel.post("payout", { payout: seen() });
}
var seen = () => Object.fromEntries(["payout_id", "status", "amount", "currency", "payout_type"].map((name) => [name, payout[name] ?? null]));
function ended() {
  recipient = null;
  at("summary").hidden = true;
  const status = payout === null || isOpen() ? "expired" : payout.status;
  drawEnd(page, at, form, status);
  if (status === "expired") return;
  const facts = [
    [texts.amount, priced(page, payout.amount, payout.currency)],
    [texts.paidTo, payout.masked_payout_method]
  ].filter(([, value]) => value);
  const lines = facts.map(([name, value]) => element("div", {}, element("dt", { text: name }), element("dd", { text: value })));
  at("ended").firstElementChild?.append(element("dl", { class: "facts" }, ...lines));
  if (page.underWay.includes(status)) watch(status);
}
var watching = false;
async function watch(before) {
  if (watching) return;
  watching = true;
  for await (const _round of pauses()) {
    await read();
    if (isOver) break;
    if (payout.status === before) continue;
    before = payout.status;
    ended();
    channel.post("payout", { payout: seen() });
    if (!page.underWay.includes(before)) break;
  }
  watching = false;
}
