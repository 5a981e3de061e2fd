// Written by `npm run docs` from src/pages/browser. Changes here are lost.

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
  const say2 = (fault) => {
    error.textContent = fault ?? "";
    if (fault) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    const by = described();
    if (by) input.setAttribute("aria-describedby", by);
    else input.removeAttribute("aria-describedby");
  };
  say2(null);
  input.addEventListener("input", () => {
    onInput?.();
    if (touched && check(input.value) === null) say2(null);
  });
  input.addEventListener("blur", () => {
    if (input.value === "") return;
    touched = true;
    say2(check(input.value));
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
      say2(fault);
      return fault === null;
    },
    say: say2
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

// src/pages/browser/keeping.js
function keeper(page2, { intent_data, mandate_payment }, places) {
  const { words: texts2 } = page2;
  const wanted = intent_data?.setup_future_usage;
  const must = page2.setup || wanted === "off_session" || mandate_payment !== null;
  const charged = must && (mandate_payment !== null || wanted !== "on_session");
  const noConsent = { isAsked: () => false, body: () => ({}), show: () => terms(must) };
  if (must) return { isAsked: () => true, body: () => accepted(mandate_payment !== null, wanted ?? "off_session"), show: () => terms(true) };
  if (page2.customer_id === null) return noConsent;
  const box = element("input", { type: "checkbox", id: "save" });
  const nickname = field({ label: texts2.nickname, optional: texts2.optional, maxlength: 255, autocomplete: "off", check: () => null });
  const name = element("div", { hidden: true }, nickname.whole);
  const whole = element(
    "div",
    { class: "keep" },
    element("div", { class: "check" }, box, element("label", { for: "save", text: texts2.save })),
    page2.nickname ? name : null
  );
  box.addEventListener("change", () => {
    name.hidden = !box.checked;
    terms(box.checked);
  });
  places.ways.after(whole);
  return {
    isAsked: () => box.checked && !whole.hidden,
    body: () => ({ ...accepted(false, "on_session"), nick_name: nickname.value.trim() }),
    show(card) {
      whole.hidden = !card;
      terms(card && box.checked);
    }
  };
  function terms(saves) {
    const shown2 = !page2.ownTerms && page2.terms !== "never" && (saves || page2.terms === "always");
    places.terms.hidden = !shown2;
    places.terms.textContent = shown2 ? fill(charged ? texts2.terms : texts2.savedTerms, { merchant: page2.merchant }) : "";
  }
}
function accepted(mandate, setup_future_usage) {
  const customer_acceptance = {
    acceptance_type: "online",
    accepted_at: (/* @__PURE__ */ new Date()).toISOString(),
    online: { user_agent: navigator.userAgent }
  };
  return { customer_acceptance, setup_future_usage, ...mandate && { mandate_data: { customer_acceptance } } };
}

// src/pages/browser/way-names.js
var ofFamily = {
  "bank_debit.ach": "ACH Direct Debit",
  "bank_debit.sepa": "SEPA Direct Debit",
  "bank_debit.bacs": "Bacs Direct Debit",
  "bank_debit.becs": "BECS Direct Debit",
  "bank_transfer.ach": "ACH transfer",
  "bank_transfer.bacs": "UK bank transfer"
};
var names = {
  ach: "ACH",
  affirm: "Affirm",
  afterpay_clearpay: "Afterpay",
  alfamart: "Alfamart",
  ali_pay: "Alipay",
  ali_pay_hk: "AlipayHK",
  alma: "Alma",
  amazon_pay: "Amazon Pay",
  apple_pay: "Apple Pay",
  atome: "Atome",
  bacs: "Bacs",
  bancontact_card: "Bancontact",
  bca_bank_transfer: "BCA",
  becs: "BECS",
  benefit: "Benefit",
  bhn_card_network: "Blackhawk gift card",
  bizum: "Bizum",
  blik: "BLIK",
  bluecode: "Bluecode",
  bni_va: "BNI Virtual Account",
  boleto: "Boleto",
  breadpay: "Bread Pay",
  bri_va: "BRI Virtual Account",
  card_redirect: "Card on the bank’s page",
  cashapp: "Cash App Pay",
  cimb_va: "CIMB Virtual Account",
  classic: "CashtoCode",
  crypto_currency: "Crypto",
  dana: "DANA",
  danamon_va: "Danamon Virtual Account",
  direct_carrier_billing: "Phone bill",
  duit_now: "DuitNow QR",
  efecty: "Efecty",
  eft: "EFT",
  eft_debit_order: "EFT Debit Order",
  eps: "EPS",
  evoucher: "CashtoCode eVoucher",
  family_mart: "FamilyMart",
  flexiti: "Flexiti",
  fps: "FPS",
  gcash: "GCash",
  giropay: "giropay",
  givex: "Givex gift card",
  go_pay: "GoPay",
  google_pay: "Google Pay",
  ideal: "iDEAL",
  indomaret: "Indomaret",
  indonesian_bank_transfer: "Indonesian bank transfer",
  instant_bank_transfer: "Instant bank transfer",
  instant_bank_transfer_finland: "Finnish online banking",
  instant_bank_transfer_poland: "Polish online banking",
  interac: "Interac",
  kakao_pay: "KakaoPay",
  klarna: "Klarna",
  knet: "KNET",
  lawson: "Lawson",
  local_bank_redirect: "Online banking",
  local_bank_transfer: "Bank transfer",
  mandiri_va: "Mandiri Virtual Account",
  mb_way: "MB WAY",
  mifinity: "MiFinity",
  mini_stop: "Ministop",
  mobile_pay: "MobilePay",
  momo: "MoMo",
  momo_atm: "MoMo ATM",
  multibanco: "Multibanco",
  online_banking_czech_republic: "Czech online banking",
  online_banking_finland: "Finnish online banking",
  online_banking_fpx: "FPX",
  online_banking_poland: "Polish online banking",
  online_banking_slovakia: "Slovak online banking",
  online_banking_thailand: "Thai online banking",
  open_banking: "Open Banking",
  open_banking_pis: "Open Banking",
  open_banking_uk: "Open Banking",
  oxxo: "OXXO",
  pago_efectivo: "PagoEfectivo",
  pay_bright: "PayBright",
  pay_easy: "Pay-easy",
  pay_safe_card: "paysafecard",
  payjustnow: "PayJustNow",
  paypal: "PayPal",
  paysera: "Paysera",
  paze: "Paze",
  permata_bank_transfer: "Permata",
  pix: "Pix",
  pix_automatico_push: "Pix Automático",
  pix_automatico_qr: "Pix Automático QR",
  pix_emv: "Pix",
  pix_key: "Pix",
  pix_qr: "Pix QR",
  prompt_pay: "PromptPay",
  przelewy24: "Przelewy24",
  pse: "PSE",
  qris: "QRIS",
  red_compra: "Redcompra",
  red_pagos: "RedPagos",
  revolut_pay: "Revolut Pay",
  samsung_pay: "Samsung Pay",
  seicomart: "Seicomart",
  sepa: "SEPA",
  sepa_bank_transfer: "SEPA transfer",
  sepa_guarenteed_debit: "SEPA Direct Debit, guaranteed",
  seven_eleven: "7-Eleven",
  skrill: "Skrill",
  sofort: "Sofort",
  swish: "Swish",
  touch_n_go: "Touch ’n Go",
  trustly: "Trustly",
  twint: "TWINT",
  upi_collect: "UPI",
  upi_intent: "UPI app",
  upi_qr: "UPI QR",
  venmo: "Venmo",
  viet_qr: "VietQR",
  vipps: "Vipps",
  walley: "Walley",
  we_chat_pay: "WeChat Pay"
};
var plainName = (word) => names[word] ?? word.split("_").map((part) => (part[0] ?? "").toUpperCase() + part.slice(1)).join(" ");
var nameOf = (method, type) => ofFamily[`${method}.${type}`] ?? plainName(type);
var kinds = {
  wallet: "kindWallet",
  mobile_payment: "kindWallet",
  bank_redirect: "kindBank",
  open_banking: "kindBank",
  upi: "kindBank",
  real_time_payment: "kindBank",
  bank_debit: "kindDebit",
  bank_transfer: "kindTransfer",
  pay_later: "kindLater",
  voucher: "kindCash",
  reward: "kindCash"
};
var kindOf = (method) => kinds[method] ?? "kindOther";
var wellKnown = [
  "paypal",
  "klarna",
  "amazon_pay",
  "revolut_pay",
  "cashapp",
  "venmo",
  "afterpay_clearpay",
  "affirm",
  "ali_pay",
  "we_chat_pay"
];
var rankOf = (type, isHome) => isHome ? 0 : wellKnown.includes(type) ? 1 + wellKnown.indexOf(type) : 100;

// src/pages/browser/card.js
var digitsOf = (text2) => text2.replace(/\D/g, "");
function kindOf2(number, kinds3) {
  let found = null;
  let longest2 = 0;
  for (const kind of kinds3)
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
function numberFault(number, kinds3, networks) {
  if (number === "") return "numberMissing";
  const kind = kindOf2(number, kinds3);
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
function cardForm(page2, networks, changed2, { asksCode } = { asksCode: true }) {
  const { words: texts2, kinds: kinds3, marked } = page2;
  const kind = () => kindOf2(digitsOf(number.value), kinds3);
  const sign = element("span", { class: "marks-beside" });
  const shown2 = networks.filter((name2) => marked.includes(name2)).slice(0, 4);
  const drawn = () => {
    const network = kind()?.network;
    sign.replaceChildren(...(network && marked.includes(network) ? [network] : digitsOf(number.value) === "" ? shown2 : ["card"]).map(mark));
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
      const fault = numberFault(digitsOf(value), kinds3, networks);
      return fault && fill(texts2[fault], { network: kind()?.network ?? "" });
    },
    onInput() {
      rewrite(
        /** @type {HTMLInputElement} */
        number.input,
        (text2) => {
          const is = kindOf2(digitsOf(text2), kinds3);
          return grouped(digitsOf(text2).slice(0, longest(is)), is);
        }
      );
      drawn();
      codeLength();
      choice.look(digitsOf(number.value));
      changed2();
    }
  });
  const choice = networkChoice(page2, (digits) => numberFault(digits, kinds3, networks) === null);
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
      changed2();
    }
  });
  const code = codeField(page2, kind, changed2);
  const codeLength = () => code.expects(kind());
  const name = field({
    label: texts2.name,
    autocomplete: "cc-name",
    name: "ccname",
    maxlength: 255,
    optional: texts2.optional,
    check: () => null,
    onInput: changed2
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
function codeField({ words: texts2 }, kind, changed2) {
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
      changed2();
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
function shownCard({ words: texts2, marked, locale }, card) {
  const { scheme, last4_digits, expiry_month, expiry_year, nick_name } = card;
  const until = new Date(Number(expiry_year), Number(expiry_month) - 1, 1);
  const date = new Intl.DateTimeFormat(locale, { month: "2-digit", year: "numeric" }).format(until);
  const number = fill(texts2.endingIn, { network: scheme ?? texts2.card, digits: last4_digits });
  return {
    label: nick_name ?? number,
    number,
    expires: fill(texts2.expires, { date }),
    isOver: new Date(until.getFullYear(), until.getMonth() + 1, 1) <= /* @__PURE__ */ new Date(),
    mark: marked.includes(scheme) ? scheme : "card"
  };
}
function linkButton(text2, does, more = {}) {
  const made = element("button", { type: "button", class: "link", text: text2, ...more });
  made.addEventListener("click", does);
  return made;
}
function forgetting({ words: texts2, forget: forget2 }, saved, { word, of, beside = null }) {
  const whole = element("div", { class: "forget" });
  const named = { "aria-describedby": of };
  const ask2 = () => {
    const yes = linkButton(
      texts2.forget,
      async () => {
        whole.inert = true;
        if (!await forget2(saved)) rest();
        whole.inert = false;
      },
      named
    );
    const no = () => {
      rest();
      const last = whole.querySelector("button:last-of-type");
      if (last instanceof HTMLElement) last.focus();
    };
    whole.replaceChildren(element("span", { text: texts2.forgetSure }), yes, linkButton(texts2.forgetNot, no, named));
    yes.focus();
  };
  const rest = () => whole.replaceChildren(...beside ? [beside] : [], linkButton(word, ask2, named));
  rest();
  return whole;
}

// src/pages/browser/ways.js
function savedWay(page2, saved, changed2) {
  const { words: texts2, kinds: kinds3 } = page2;
  const shown2 = shownCard(page2, saved.card);
  const kind = kinds3.find((one) => one.network === saved.card.scheme) ?? null;
  const asksCode = page2.asksCode || saved.requires_cvv !== false;
  const code = codeField(page2, () => kind, changed2);
  code.expects(kind);
  return (
    /** @type {Way} */
    {
      id: saved.payment_method_id,
      type: "saved_card",
      label: shown2.label,
      note: shown2.label === shown2.number ? shown2.expires : shown2.number,
      mark: shown2.mark,
      panel: asksCode || page2.forget ? element(
        "div",
        {},
        asksCode ? element("div", { class: "narrow" }, code.field.whole) : null,
        page2.forget ? forgetting(page2, saved, { word: texts2.forgetCard }) : null
      ) : null,
      ready: () => !asksCode || code.field.ready(),
      fault: () => !asksCode || code.field.hold() ? null : code.field.input,
      focus: () => code.field.input.focus(),
      body: () => ({
        payment_method: "card",
        payment_token: saved.payment_token,
        customer_id: saved.customer_id,
        ...asksCode && { card_cvc: code.field.value }
      })
    }
  );
}
function cardWay(page2, networks, alone, changed2) {
  const form2 = cardForm(page2, networks, changed2);
  return (
    /** @type {Way} */
    {
      id: "card",
      type: "card",
      label: alone ? page2.words.card : page2.words.anotherCard,
      mark: "card",
      panel: form2.whole,
      keeps: true,
      ready: form2.ready,
      fault: form2.fault,
      focus: form2.focus,
      body: () => ({ payment_method: "card", payment_method_data: { card: form2.body() } })
    }
  );
}
var labels = {
  user_full_name: "fullName",
  user_email_address: "email",
  user_phone_number: "phone",
  user_address_line1: "line1",
  user_address_line2: "line2",
  user_address_city: "city",
  user_address_pincode: "zip",
  user_address_state: "state",
  user_address_country: "country",
  user_country: "country",
  user_bank: "bank",
  user_bank_options: "bank",
  user_iban: "iban",
  user_bank_account_number: "account",
  user_bank_account_holder_name: "holder"
};
var parts = { first_name: "firstName", last_name: "lastName" };
var kinds2 = {
  user_email_address: { type: "email", autocomplete: "email" },
  user_full_name: { autocomplete: "name" },
  user_billing_name: { autocomplete: "name" },
  user_phone_number: { type: "tel", autocomplete: "tel" },
  user_address_line1: { autocomplete: "address-line1" },
  user_address_line2: { autocomplete: "address-line2" },
  user_address_city: { autocomplete: "address-level2" },
  user_address_pincode: { autocomplete: "postal-code" }
};
function put(body, path, value) {
  const parts2 = path.split(".");
  const last = (
    /** @type {string} */
    parts2.pop()
  );
  let at2 = body;
  for (const part of parts2) at2 = at2[part] ??= {};
  at2[last] = value;
}
var paged = ["wallet", "pay_later"];
var calledPlainly = ["paysera", "revolut_pay", "skrill", "mifinity"];
var ofBanks = ["ach", "sepa", "becs", "bacs", "multibanco", "bni_va", "bri_va", "cimb_va", "danamon_va", "mandiri_va"];
var placeOf = (method, type) => `payment_method_data.${method}` + (method === "crypto" ? "" : method.startsWith("bank_") && ofBanks.includes(type) ? `.${type}_${method}` : paged.includes(method) && !calledPlainly.includes(type) ? `.${type}_redirect` : `.${type}`);
var shown = ["redirect_to_url", "display_qr_code", "display_wait_screen", "invoke_payment_app"];
var withInstructions = ["bank_transfer", "voucher", "real_time_payment", "mobile_payment", "upi"];
function otherWay(page2, method, type, changed2) {
  const { words: texts2 } = page2;
  const name = nameOf(method, type.payment_method_type);
  const place = placeOf(method, type.payment_method_type);
  const isOurs = (path) => !path.startsWith("payment_method_data.") || path.startsWith("payment_method_data.billing.") || path.startsWith(`${place}.`);
  const asked = Object.entries(
    /** @type {Record<string, any>} */
    type.required_fields ?? {}
  ).filter(
    ([path, { value }]) => value === null && isOurs(path)
  );
  const fields = asked.map(([path, { field_type, display_name }]) => {
    const kind = typeof field_type === "string" ? field_type : Object.keys(field_type)[0] ?? "";
    const word = (
      /** @type {Record<string, string>} */
      labels[kind] ?? /** @type {Record<string, string>} */
      parts[display_name]
    );
    const choices = typeof field_type === "string" ? void 0 : field_type[kind]?.options;
    const options = choices && [["", ""], ...choices.map((one) => [one, plainName(one)])];
    return {
      path,
      label: word === void 0 ? plainName(display_name) : texts2[word],
      more: { ...options && { options }, .../** @type {Record<string, object>} */
      kinds2[kind] }
    };
  });
  const message = page2.messages.find((one) => one.payment_method === method)?.payment_method_types.find((one) => one.payment_method_type === type.payment_method_type)?.message;
  const experience = type.payment_experience.map((one) => one.payment_experience_type).find((one) => shown.includes(one));
  const hasInstructions = experience !== "redirect_to_url" || withInstructions.includes(method);
  const usual = fill(hasInstructions ? texts2.instructed : texts2.onward, { method: name });
  const hint = { hidden: null, default_sdk_message: usual, custom_message: message?.value }[
    /** @type {'hidden'} */
    message?.display_mode ?? "custom_message"
  ];
  return fieldsWay(page2, {
    id: `${method}-${type.payment_method_type}`,
    type: type.payment_method_type,
    kind: kindOf(method),
    label: name,
    fields,
    hint: hint === null ? void 0 : hint ?? usual,
    changed: changed2,
    body() {
      const body = {
        payment_method: method,
        payment_method_type: type.payment_method_type,
        payment_experience: experience,
        payment_method_data: {}
      };
      put(body, place, {});
      return body;
    }
  });
}
function fieldsWay({ words: texts2 }, { id, type, kind, label, fields, hint, changed: changed2, body }) {
  const made = fields.map(({ path, label: label2, more, optional }) => ({
    path,
    field: field({
      label: label2,
      ...optional ? { optional: texts2.optional } : { required: true },
      ...more,
      check: (value) => !optional && value.trim() === "" ? texts2.needed : null,
      onInput: changed2
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
  if (rest.length <= FEW) return rest.map(({ row: row2 }) => row2);
  const byKind = /* @__PURE__ */ new Map();
  for (const { way, row: row2 } of rest) {
    const kind = way.kind ?? "kindOther";
    byKind.set(kind, [...byKind.get(kind) ?? [], row2]);
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
    const row2 = element("div", { class: "way" }, element("div", { class: "way-head" }, input, label), panel);
    input.addEventListener("change", () => {
      current = way;
      draw2();
      chosen(way);
    });
    return { way, row: row2, panel };
  });
  const draw2 = () => {
    for (const { way, row: row2, panel } of rows) {
      row2.classList.toggle("chosen", way === current);
      panel.hidden = way !== current || way.panel === null;
    }
  };
  draw2();
  const whole = element("fieldset", { class: "ways" }, element("legend", { text: texts2.payWith }), ...rows.map(({ row: row2 }) => row2));
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

// src/pages/browser/offer.js
function isElsewhere({ homes, currency, country }, type) {
  const home = homes[type];
  return home !== void 0 && !(home.currencies.includes(currency) && (country === null || home.countries.includes(country)));
}
var ofDevices = ["apple_pay", "samsung_pay"];
var rank = (page2, { type: { payment_method_type: type } }) => rankOf(type, page2.homes[type] !== void 0);
function offerForm(page2, { offered, saved, without = [], alone = false, places, changed: changed2, chosen }) {
  const types = offered.payment_methods.flatMap(
    (one) => one.payment_method_types.map((type) => ({ method: one.payment_method, type }))
  );
  const networks = (
    /** @type {string[]} */
    [
      ...new Set(
        types.flatMap(({ type }) => (type.card_networks ?? []).map((one) => one.card_network))
      )
    ]
  );
  const cards = alone ? [] : saved.filter((one) => one.card);
  const others = types.filter(
    ({ method, type }) => !alone && method !== "card" && !without.includes(type.payment_method_type) && !ofDevices.includes(type.payment_method_type) && !isElsewhere(page2, type.payment_method_type) && (type.payment_experience ?? []).some((one) => shown.includes(one.payment_experience_type))
  );
  const ways = [
    ...cards.map((one) => savedWay(page2, one, changed2)),
    ...networks.length > 0 ? [cardWay(page2, networks, cards.length === 0, changed2)] : [],
    ...others.toSorted((a, b) => rank(page2, a) - rank(page2, b)).map(({ method, type }) => otherWay(page2, method, type, changed2))
  ];
  if (ways.length === 0) return null;
  const keeping = keeper(page2, offered, places);
  const list = chooser(page2, ways, page2.cardFirst || cards.length > 0 ? 0 : null, (way) => {
    chosen();
    keeping.show(way.keeps === true);
    changed2();
  });
  places.ways.replaceChildren(list.whole);
  keeping.show(list.current().keeps === true);
  return {
    current: list.current,
    /** Returns the customer's input as the body of a confirm. */
    body() {
      const way = list.current();
      const { nick_name, ...kept2 } = (
        /** @type {any} */
        way.keeps && keeping.isAsked() ? keeping.body() : {}
      );
      const body = way.body();
      if (nick_name && body.payment_method_data?.card) body.payment_method_data.card.nick_name = nick_name;
      return { ...body, ...kept2 };
    }
  };
}

// src/pages/browser/service.js
var pageData = () => JSON.parse(
  /** @type {HTMLElement} */
  document.getElementById("page").textContent ?? "{}"
);
var caller = ({ root, publishable_key: publishable_key2, client_secret, actions = "all" }) => (
  /** @returns {Promise<Answer>} */
  async (method, path, body = void 0) => {
    try {
      const answer = await fetch(new URL(root + path, location.href), {
        method,
        headers: { "api-key": publishable_key2, "content-type": "application/json", "x-next-actions": actions },
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
    payment: (ask2 = false) => get(`payments/${payment_id}`, ask2 ? "&force_sync=true" : ""),
    askIssuer: (body) => call("POST", `payments/${payment_id}/3ds/authentication`, body),
    /** Returns the networks of a card that has several; null for all other cards, or if the networks are unknown. */
    networksOf: async (card_number) => {
      const ask2 = { payment_method_type: "card", payment_method_data: { card: { card_number } } };
      const { status, body } = await call("POST", `payments/${payment_id}/eligibility`, ask2);
      return (
        /** @type {string[] | null} */
        status === 200 ? body.card_networks : null
      );
    },
    /** Returns the session token that opens a wallet. */
    wallet: (type) => call("POST", "payments/session_tokens", { payment_id, wallets: [type] }),
    confirm: (body) => call("POST", `payments/${payment_id}/confirm`, body),
    forget: ({ customer_id: customer_id2, payment_method_id }) => customerServiceOf({ ...access, ephemeral_key: access.ephemeral_key ?? "", customer_id: customer_id2 }).forget(payment_method_id),
    complete: (body) => call("POST", `payments/${payment_id}/complete_authorize`, body)
  };
}
function customerServiceOf({ root, ephemeral_key: ephemeral_key2, customer_id: customer_id2 }) {
  const call = caller({ root, publishable_key: ephemeral_key2, client_secret: void 0 });
  const path = `customers/${encodeURIComponent(customer_id2)}/payment_methods`;
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
var EVERY_MS = 2e3;
var LONGEST_MS = 3e4;
async function* pauses() {
  for (let round = 1; ; round++) {
    await pause(Math.min(EVERY_MS * 1.2 ** round, LONGEST_MS));
    if (!document.hidden) yield round;
  }
}

// src/pages/browser/taking.js
var TRIES = 8;
function taking(page2, service2) {
  function outcomeOf(payment) {
    const { status, attempt_count, manual_retry_allowed } = payment;
    if (status !== "failed" || !manual_retry_allowed) return { is: "answered", payment };
    Object.assign(page2, { status, attempts: attempt_count });
    return { is: "declined", payment };
  }
  async function refused(error) {
    const { status, body } = await service2.payment();
    if (status === 200 && !page2.payable.includes(body.status)) return { is: "answered", payment: body };
    if (status >= 400 && status < 500) return { is: "over" };
    return { is: "refused", error };
  }
  async function lookUp() {
    for (let round = 1; round <= TRIES; round++) {
      await pause(1e3 * round);
      const { status, body } = await service2.payment(round > 1);
      if (status === 200 && (body.status !== page2.status || body.attempt_count !== page2.attempts)) return outcomeOf(body);
      if (status >= 400 && status < 500) return { is: "over" };
      if (status === 200 && round >= TRIES / 2) return { is: "not received" };
    }
    return { is: "unknown" };
  }
  return {
    outcomeOf,
    /**
     * Confirms the payment with the customer's input. `ends` returns the result. If the answer is unknown, `ends`
     * looks up the payment; the page never sends the confirm again.
     * @param {object} body
     * @returns {Promise<{ is: 'paid' | 'not paid' | 'unknown', ends: () => Outcome | Promise<Outcome> }>}
     */
    async confirm(body) {
      const answer = await service2.confirm({
        ...body,
        browser_info: browserInfo(),
        ...page2.status === "failed" && { retry_action: "manual_retry" }
      });
      if (answer.status === 200 && answer.body.status)
        return { is: answer.body.status === "failed" ? "not paid" : "paid", ends: () => outcomeOf(answer.body) };
      if (answer.status > 0 && answer.status < 500) return { is: "not paid", ends: () => refused(answer.body?.error) };
      return { is: "unknown", ends: lookUp };
    }
  };
}
function wordForDecline({ declineWords }, { error_code, error_details }) {
  const reason = `${error_details?.unified_details?.standardised_code ?? ""} ${error_code ?? ""}`;
  const found = declineWords.find(([pattern]) => new RegExp(pattern, "i").test(reason));
  return found?.[1] ?? "declined";
}
function wordFor(page2, outcome) {
  switch (outcome.is) {
    case "declined":
      return wordForDecline(page2, outcome.payment);
    case "refused":
      return wordForError(outcome.error);
    case "not received":
      return "notNow";
    default:
      return null;
  }
}
function wordForError(error) {
  if (/too many/i.test(error?.message ?? "")) return "tooMany";
  if (error?.type === "blocked") return "declined";
  return /^HE_00$/.test(error?.code ?? "") ? "notNow" : "notTaken";
}

// src/pages/browser/adding.js
var MOST_ACTIONS = 5;
var TRIES2 = 6;
function adder(page2, { secret, act }) {
  let service2 = null;
  let offered = null;
  page2.networksOf = (digits) => service2?.networksOf(digits) ?? null;
  const failed2 = (type, code, message, word = "notNow") => ({ is: "failed", word, type, code, message });
  async function prepare2() {
    if (service2 !== null) return null;
    const client_secret = await secret();
    if (client_secret === null) return failed2("integration_error", "setup_unavailable");
    const payment_id = client_secret.split("_secret_")[0] ?? "";
    const made = serviceOf({ root: page2.root, publishable_key: page2.publishable_key, client_secret, payment_id, actions: "page" });
    const [methods2, payment] = await Promise.all([made.methods(), made.payment()]);
    const refused = [methods2, payment].find(({ status: status2 }) => status2 >= 400 && status2 < 500);
    if (refused) return failed2("session_error", "session_expired", refused.body?.error?.message);
    if (methods2.status !== 200 || payment.status !== 200) return failed2("connection_error", "service_unreachable");
    const { amount, status, attempt_count, currency, customer_id: customer_id2 } = payment.body;
    if (amount !== 0) return failed2("integration_error", "setup_not_free", "The payment to add a card by must have amount 0");
    if (methods2.body.is_guest_customer || customer_id2 && customer_id2 !== page2.of)
      return failed2("integration_error", "setup_of_another", "The payment to add a card by must be of the same customer");
    if (!page2.payable.includes(status)) return failed2("session_error", "session_expired");
    service2 = made;
    offered = methods2.body;
    Object.assign(page2, {
      status,
      attempts: attempt_count,
      currency,
      country: null,
      customer_id: customer_id2,
      merchant: offered.merchant_name,
      setup: true
    });
    return null;
  }
  async function settled(outcome, closed, round = 0) {
    const word = wordFor(page2, outcome);
    if (word !== null) {
      if (outcome.is === "declined") return failed2("payment_error", outcome.payment.error_code ?? "payment_declined", void 0, word);
      if (outcome.is === "refused") return failed2("request_error", outcome.error?.code ?? "refused", outcome.error?.message, word);
      return failed2("connection_error", "not_received", void 0, word);
    }
    if (outcome.is !== "answered") {
      const known = service2;
      if (outcome.is === "over") service2 = null;
      return outcome.is === "over" || known === null ? failed2("session_error", "session_expired") : { is: "open", later: () => later(known) };
    }
    const { payment } = outcome;
    switch (payment.status) {
      case "succeeded":
        service2 = null;
        return { is: "added", payment };
      case "failed":
        service2 = null;
        return failed2("payment_error", payment.error_code ?? "payment_failed", void 0, "declined");
      case "requires_customer_action":
        if (closed || round === MOST_ACTIONS) {
          service2 = null;
          return { is: "closed" };
        }
        return settled(...await lookedUp(await act()), round + 1);
      default: {
        const known = (
          /** @type {ReturnType<typeof serviceOf>} */
          service2
        );
        service2 = null;
        return { is: "open", later: () => later(known) };
      }
    }
  }
  async function lookedUp(closed) {
    const known = (
      /** @type {ReturnType<typeof serviceOf>} */
      service2
    );
    const { outcomeOf } = taking(page2, known);
    for (let round = 0; ; round++) {
      const { status, body } = await known.payment(true);
      if (status === 200) return [outcomeOf(body), closed];
      if (status >= 400 && status < 500) return [{ is: "over" }, closed];
      if (round === TRIES2) return [{ is: "unknown" }, closed];
      await pauses().next();
    }
  }
  async function later(known) {
    for await (const round of pauses()) {
      const { status, body } = await known.payment(round % 4 === 0);
      if (status >= 400 && status < 500) return null;
      if (status === 200 && ["succeeded", "failed", "cancelled"].includes(body.status)) return body;
    }
  }
  return {
    prepare: prepare2,
    /**
     * Returns the form, once the payment is prepared; null if no card can be added.
     * @param {Omit<Parameters<typeof offerForm>[1], 'offered' | 'saved' | 'alone'>} of
     */
    form: (of) => offerForm(page2, { offered, saved: [], alone: true, ...of }),
    /**
     * Confirms the payment with the typed card. If the session ended meanwhile, a new payment is made and confirmed.
     * @param {object} body
     * @returns {Promise<Added>}
     */
    async add(body) {
      for (let round = 0; ; round++) {
        const fault = await prepare2();
        if (fault !== null) return fault;
        const { confirm } = taking(
          page2,
          /** @type {ReturnType<typeof serviceOf>} */
          service2
        );
        const { ends } = await confirm({ ...body, is_iframe_redirection_enabled: true });
        const outcome = await ends();
        if (outcome.is !== "over" || round > 0) return settled(outcome, false);
        service2 = null;
      }
    }
  };
}

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
  const { theme, layout, labels: labels2, accent = ACCENT, onAccent = lettersOn(accent), radius, fontFamily, fonts } = taken;
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.scheme;
  else root.dataset.scheme = theme;
  const say2 = (name, value) => value === void 0 ? root.style.removeProperty(name) : root.style.setProperty(name, value);
  say2("--theme", taken.accent);
  say2("--button", accent);
  say2("--on-button", onAccent);
  say2("--round", radius);
  say2("font-family", fontFamily);
  const { classList } = document.body;
  for (const name of [...classList]) if (/^(?:ways|labels)-/.test(name)) classList.remove(name);
  classList.add(`ways-${layout}`, `labels-${labels2}`);
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
    const say2 = { complete: way?.ready() ?? false, value: { type: way?.type ?? null } };
    if (JSON.stringify(say2) === posted) return;
    posted = JSON.stringify(say2);
    channel2.post("change", say2);
  };
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

// src/pages/browser/sdk-methods.js
var channel = openChannel();
var page = pageData();
var { words: texts } = page;
var { form, at, showError, calm, work, isBusy } = pageForm();
var init = await channel.began;
var { publishable_key, customer_id, ephemeral_key } = init;
Object.assign(page, { publishable_key, of: customer_id, forget });
var service = customerServiceOf({ root: page.root, ephemeral_key, customer_id });
var failed = (type, code, message, developer_message) => channel.post("error", failure(type, code, message, developer_message));
var did = (action, payment_method_id) => channel.post("saved", { action, payment_method_id });
var ask = (type) => new Promise((done) => {
  channel.on(type, done);
  channel.post(type);
});
var shop = {
  secret: async () => (await ask("setup")).client_secret ?? null,
  act: async () => (await ask("act")).closed === true
};
var { prepare, form: cardForm2, add } = adder(page, shop);
var methods = [];
var offer = null;
var reportChange = changes(channel);
var changed = () => reportChange(offer?.current());
beginFrame(channel, init.appearance, () => (
  /** @type {HTMLElement | null} */
  document.querySelector("main button:not([hidden])")?.focus()
));
at("add").addEventListener("click", begin);
at("cancel").addEventListener("click", () => close(true));
at("methods").addEventListener("click", () => say(""), { capture: true });
at("add").hidden = true;
read().then((isThere) => isThere && channel.post("ready"));
function say(message) {
  at("progress").textContent = message;
}
async function read() {
  const { status, body } = await service.list();
  at("loading").hidden = true;
  const code = body?.error?.code;
  if (status === 401 || status === 403) return over(body.error.message);
  const isNew = status === 404;
  if (status !== 200 && !isNew) {
    showError(texts.notNow, linkButton(texts.again, again));
    if (status >= 400 && status < 500) failed("request_error", code ?? "refused", texts.notNow, body?.error?.message);
    else failed("connection_error", "service_unreachable", texts.notNow);
    return false;
  }
  if (isNew) failed("request_error", "customer_not_found", texts.notNow, body?.error?.message);
  methods = isNew ? [] : body.customer_payment_methods;
  draw();
  return true;
}
function again() {
  calm();
  read();
}
function over(message) {
  close(false);
  methods = [];
  at("methods").replaceChildren();
  at("saved").hidden = true;
  at("add").hidden = true;
  drawEnd(page, at, form, "expired");
  failed("session_error", "key_refused", page.outcomes.expired.says, message);
  return false;
}
function draw() {
  at("methods").replaceChildren(...methods.map(row));
  at("none").hidden = methods.length > 0;
  at("methods").hidden = methods.length === 0;
  at("add").hidden = !init.adds || !form.hidden;
}
function shownOther({ payment_method, payment_method_type, payment_method_data }) {
  const values = (value) => typeof value === "object" && value !== null ? Object.values(value).flatMap(values) : [value];
  const hint = values(payment_method_data).find((text2) => typeof text2 === "string" && /\*|^\d{4}$/.test(text2));
  return { label: nameOf(payment_method, payment_method_type ?? payment_method), note: hint ?? null, mark: null, isOver: false };
}
function row(saved, i) {
  const card = saved.card && shownCard(page, saved.card);
  const { label, mark: sign, isOver } = card ?? shownOther(saved);
  const note = card ? isOver ? texts.expired : card.expires : shownOther(saved).note;
  const id = `saved-${i}`;
  const isDefault = saved.default_payment_method_set === true;
  const name = element(
    "div",
    { class: "way-name", id },
    element("span", {}, element("bdi", { text: label }), isDefault ? element("span", { class: "badge", text: texts.isDefault }) : null),
    card && card.label !== card.number ? element("span", { class: "note", text: card.number }) : null,
    note ? element("span", { class: isOver ? "note bad" : "note", text: note }) : null
  );
  const first = isDefault ? null : linkButton(texts.makeDefault, () => prefer(saved), { "aria-describedby": id });
  const actions = forgetting(page, saved, { word: texts.forget, of: id, beside: first });
  return element("li", { class: "saved" }, sign ? mark(sign) : mark("card"), name, actions);
}
async function prefer(saved) {
  if (isBusy()) return;
  calm();
  const { status, body } = await service.makeDefault(saved.payment_method_id);
  if (status === 401 || status === 403) return over(body.error.message);
  if (status !== 200) return unchanged(status, body);
  await read();
  say(texts.defaultSet);
  did("default", saved.payment_method_id);
  at("methods").querySelector("button")?.focus();
}
async function forget(saved) {
  if (isBusy()) return false;
  calm();
  const { status, body } = await service.forget(saved.payment_method_id);
  if (status === 401 || status === 403) return over(body.error.message);
  if (status !== 200 && status !== 404) return unchanged(status, body);
  const place = methods.indexOf(saved);
  await read();
  say(texts.deleted);
  did("deleted", saved.payment_method_id);
  const rows = at("methods").children;
  const next = rows[Math.min(place, rows.length - 1)]?.querySelector("button");
  (next ?? at("add")).focus();
  return true;
}
async function unchanged(status, body) {
  if (status >= 400 && status < 500) {
    failed("request_error", body?.error?.code ?? "refused", texts.notNow, body?.error?.message);
    await read();
  } else failed("connection_error", "service_unreachable", texts.notNow);
  showError(texts.notNow);
  return false;
}
async function begin() {
  if (isBusy()) return;
  calm();
  say("");
  at("add").hidden = true;
  at("loading").hidden = false;
  const fault = await prepare();
  at("loading").hidden = true;
  if (fault?.is === "failed") {
    at("add").hidden = false;
    return wrong(fault);
  }
  const places = { ways: at("ways"), terms: at("terms") };
  offer = cardForm2({ places, changed, chosen: calm });
  if (offer === null) {
    at("add").hidden = false;
    return showError(texts.noCards);
  }
  form.hidden = false;
  offer.current().focus();
  changed();
}
function close(byHand) {
  if (isBusy()) return;
  offer = null;
  form.hidden = true;
  at("ways").replaceChildren();
  calm();
  changed();
  if (methods.length > 0 || byHand) at("add").hidden = !init.adds;
  if (byHand) at("add").focus();
}
function wrong({ word, type, code, message }) {
  showError(texts[word]);
  failed(type, code, texts[word], message);
}
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy() || offer === null) return;
  const fault = offer.current().fault();
  if (fault) return fault.focus();
  calm();
  if (!navigator.onLine) return showError(texts.notNow);
  work(texts.savingCard);
  at("saved").inert = true;
  const added = await add(offer.body());
  work(null);
  at("saved").inert = false;
  switch (added.is) {
    case "failed":
      return wrong(added);
    case "closed":
      showError(texts.cardClosed);
      return failed("action_error", "action_closed", texts.cardClosed);
    case "open":
      close(true);
      say(texts.cardOpen);
      return decided(await added.later());
    default:
      close(true);
      return kept(added.payment);
  }
});
async function decided(payment) {
  if (payment === null) return void await read();
  if (payment.status === "succeeded") return kept(payment);
  say("");
  showError(texts.declined);
  failed("payment_error", payment.error_code ?? "payment_failed", texts.declined);
}
async function kept(payment) {
  const before = methods.map((one) => one.payment_method_id);
  if (!await read()) return;
  say(texts.cardSaved);
  const added = methods.map((one) => one.payment_method_id).find((id) => !before.includes(id));
  did("added", payment.payment_method_id ?? added ?? null);
}
