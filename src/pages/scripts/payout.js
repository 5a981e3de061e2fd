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
var fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
var count = 0;
function field({ label, optional, hint, beside, check, onInput, options, ...attributes }) {
  const id = `field-${++count}`;
  const error = element("p", { id: `${id}-error`, class: "error" });
  const help = hint === void 0 ? null : element("p", { id: `${id}-hint`, class: "hint", text: hint });
  const described = () => [error.textContent ? error.id : help?.id].filter(Boolean).join(" ");
  const input = options ? element("select", { id, ...attributes }, ...options.map(([value, text]) => element("option", { value, text }))) : element("input", { id, type: "text", ...attributes });
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
  for (let seen = 0; at2 < after.length && seen < digits; at2++) if (/\d/.test(
    /** @type {string} */
    after[at2]
  )) seen++;
  input.setSelectionRange(at2, at2);
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
var submitterOf = (access) => {
  const call = caller(access);
  return (body) => call("POST", access.submits, body);
};
async function standsNow() {
  try {
    const answer = await fetch(location.href);
    return answer.ok ? / data-stands="([^"]*)"/.exec(await answer.text())?.[1] ?? null : void 0;
  } catch {
    return void 0;
  }
}
var pause = (ms) => new Promise((done) => setTimeout(done, ms));
var lookAgain = () => location.replace(location.href);

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
function endings({ expires_in_ms }, isBusy2) {
  addEventListener("pageshow", (event) => event.persisted && lookAgain());
  if (expires_in_ms < LONGEST_TIMER_MS) setTimeout(() => isBusy2() || lookAgain(), expires_in_ms + 500);
  document.getElementById("logo")?.addEventListener("error", (event) => (
    /** @type {HTMLElement} */
    event.target.remove()
  ));
}

// src/pages/browser/card.js
var digitsOf = (text) => text.replace(/\D/g, "");
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
function dated(text) {
  let digits = digitsOf(text);
  if (/^\d\d20\d\d$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  const month = digits.slice(0, 2);
  return digits.length > 2 ? `${month} / ${digits.slice(2)}` : month + (/^\d\d\s*\/\s*$/.test(text) ? " / " : "");
}
function expiryOf(text, now) {
  const digits = digitsOf(text);
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
  const { words: texts, kinds, marked } = page2;
  const kind = () => kindOf(digitsOf(number.value), kinds);
  const sign = element("span", { class: "marks-beside" });
  const shown = networks.filter((name2) => marked.includes(name2)).slice(0, 4);
  const drawn = () => {
    const network = kind()?.network;
    sign.replaceChildren(...(network && marked.includes(network) ? [network] : digitsOf(number.value) === "" ? shown : ["card"]).map(mark));
  };
  const number = field({
    label: texts.number,
    inputmode: "numeric",
    autocomplete: "cc-number",
    name: "cardnumber",
    placeholder: "1234 1234 1234 1234",
    maxlength: 24,
    required: true,
    beside: sign,
    check: (value) => {
      const fault = numberFault(digitsOf(value), kinds, networks);
      return fault && fill(texts[fault], { network: kind()?.network ?? "" });
    },
    onInput() {
      rewrite(
        /** @type {HTMLInputElement} */
        number.input,
        (text) => {
          const is = kindOf(digitsOf(text), kinds);
          return grouped(digitsOf(text).slice(0, longest(is)), is);
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
    label: texts.expiry,
    inputmode: "numeric",
    autocomplete: "cc-exp",
    name: "exp-date",
    placeholder: texts.expiryForm,
    maxlength: 9,
    required: true,
    check: (value) => {
      const read = expiryOf(value, /* @__PURE__ */ new Date());
      return typeof read === "string" ? texts[read] : null;
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
    label: texts.name,
    autocomplete: "cc-name",
    name: "ccname",
    maxlength: 255,
    optional: texts.optional,
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
function networkChoice({ words: texts, networksOf }, isWhole) {
  const whole = element("div", { hidden: true });
  let made = null;
  let asked = "";
  const show = (networks) => {
    made = null;
    if (networks !== null && networks.length > 1)
      made = field({
        label: texts.network,
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
function codeField({ words: texts }, kind, changed) {
  const made = field({
    label: texts.code,
    hint: texts.codeBehind,
    inputmode: "numeric",
    autocomplete: "cc-csc",
    name: "cvc",
    placeholder: "123",
    maxlength: 4,
    required: true,
    check: (value) => {
      const fault = codeFault(digitsOf(value), kind());
      return fault && texts[fault];
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
      if (made.help) made.help.textContent = four ? texts.codeInFront : texts.codeBehind;
    }
  };
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
function fieldsWay({ words: texts }, { id, type, kind, label, fields, hint, changed, body }) {
  const made = fields.map(({ path, label: label2, more, optional }) => ({
    path,
    field: field({
      label: label2,
      ...optional ? { optional: texts.optional } : { required: true },
      ...more,
      check: (value) => !optional && value.trim() === "" ? texts.needed : null,
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
        found?.field.say(texts.wrong);
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
  const { words: texts } = page2;
  const place = `payout_method_data.${way.place}`;
  if (way.is === "card") {
    const networks = page2.kinds.map((one) => one.network);
    const form2 = cardForm(page2, networks, changed, { asksCode: false });
    return (
      /** @type {Way} */
      {
        id: "card",
        type: "card",
        label: texts.card,
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
    label: texts[name],
    more: (
      /** @type {Record<string, object>} */
      inputAttributes[name] ?? { autocomplete: "off" }
    ),
    optional
  });
  return fieldsWay(page2, {
    id: way.type,
    type: way.type,
    label: texts[way.type],
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
var knownWay = ({ words: texts, there }) => (
  /** @type {Way} */
  {
    id: "there",
    type: "on_file",
    label: texts.toThere,
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
function folds(texts, rest) {
  if (rest.length <= FEW) return rest.map(({ row }) => row);
  const byKind = /* @__PURE__ */ new Map();
  for (const { way, row } of rest) {
    const kind = way.kind ?? "kindOther";
    byKind.set(kind, [...byKind.get(kind) ?? [], row]);
  }
  return [...byKind].map(
    ([kind, its]) => element("details", { class: "fold" }, element("summary", { text: `${texts[kind]} (${its.length})` }), ...its)
  );
}
function chooser({ words: texts }, ways, first, chosen) {
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
      draw();
      chosen(way);
    });
    return { way, row, panel };
  });
  const draw = () => {
    for (const { way, row, panel } of rows) {
      row.classList.toggle("chosen", way === current);
      panel.hidden = way !== current || way.panel === null;
    }
  };
  draw();
  const whole = element("fieldset", { class: "ways" }, element("legend", { text: texts.payWith }), ...rows.map(({ row }) => row));
  const rest = rows.slice(MOST_AT_ONCE);
  if (rest.length > 1) {
    const folded = element("div", { class: "more-ways" }, ...folds(texts, rest));
    folded.hidden = true;
    const more = element("button", { type: "button", class: "link more", text: texts.moreWays });
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
function recipientForm(page2, frame2, { submit, isDecided, decided, changed = () => {
}, failed = () => {
} }) {
  const { words: texts } = page2;
  const { form: form2, at: at2, showError, calm, work, isBusy: isBusy2 } = frame2;
  const ways = [
    ...page2.there === null ? [] : [knownWay(page2)],
    ...page2.ways.map((way) => recipientWay(page2, way, changed))
  ];
  const list = chooser(page2, ways, 0, () => {
    calm();
    changed();
  });
  at2("ways").replaceChildren(list.whole);
  form2.hidden = false;
  async function send2() {
    if (isBusy2()) return;
    const way = list.current();
    const fault = way.fault();
    if (fault) return fault.focus();
    calm();
    work(texts.sending);
    const { status, body } = await submit(way.body());
    if (status === 200) return decided();
    if (status > 0 && status < 500) return refused(way, body?.error);
    await lookUp();
  }
  async function refused(way, error) {
    if (await isDecided()) return decided();
    work(null);
    failed("request_error", error?.code ?? "refused", texts.notTaken, error?.message);
    const blamed = way.blame?.(`${error?.message} ${error?.help}`) ?? null;
    if (blamed) return blamed.focus();
    showError(texts.notTaken);
  }
  async function lookUp() {
    work(texts.checking);
    for (let round = 1; round <= TRIES; round++) {
      await pause(1e3 * round);
      if (await isDecided()) return decided();
    }
    work(null);
    failed("connection_error", "not_received", texts.notNow);
    showError(texts.notNow);
  }
  return { send: send2, current: list.current };
}

// src/pages/browser/payout.js
var page = pageData();
var frame = pageForm();
var { form, at, isBusy } = frame;
var { send } = recipientForm(page, frame, { submit: submitterOf(page), isDecided: standsNow, decided: lookAgain });
at("loading").hidden = true;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
endings(page, isBusy);
