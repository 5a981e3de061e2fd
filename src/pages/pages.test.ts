import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { paymentMethodTypes } from '../instruments/methods.ts'
import { documentOf } from './document.ts'
import { openPageFiles } from './files.ts'
import { html } from './html.ts'
import { type Language, languages, localizationOf, pageTexts } from './languages.ts'
import { price } from './money.ts'
import { contrast, lettersOn, themeOf } from './theme.ts'

/** Returns every text of a language by its path: `form.pay`. */
const textsOf = (language: Language): Map<string, string> => {
  const flat = (value: object, path: string): [string, string][] =>
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'string' ? [[`${path}${key}`, inner] as [string, string]] : flat(inner, `${path}${key}.`),
    )
  return new Map(flat(pageTexts[language], ''))
}

test('every language has exactly the texts of the English one, each with the same placeholders', () => {
  const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort()
  const english = textsOf('en')
  ok(english.size > 200)
  for (const language of languages) {
    const own = textsOf(language)
    deepEqual([...own.keys()].toSorted(), [...english.keys()].toSorted(), language)
    for (const [path, text] of own) {
      ok(text.trim(), `${language} ${path}`)
      deepEqual(blanks(text), blanks(english.get(path)!), `${language} ${path}`)
    }
  }
})

test('text in a template is escaped and never becomes markup', () => {
  equal(
    html`<p title="${'"><b>'}">${'<i>'}${html`<b>${'&'}</b>`}${[html`<u></u>`, 'x']}${null}${false}</p>`.markup,
    '<p title="&quot;&gt;&lt;b&gt;">&lt;i&gt;<b>&amp;</b><u></u>x</p>',
  )
})

test('amounts have the decimals of ISO 4217 and the format of the locale, exact to the last digit', () => {
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')
  equal(plain(price(5, 'USD', 'en')), '$0.05')
  equal(plain(price(1250, 'JPY', 'en')), '¥1,250')
  equal(plain(price(1_234_567, 'KWD', 'en')), 'KWD 1,234.567')
  equal(plain(price(100_000, 'HUF', 'de')), '1.000,00 HUF')
  equal(plain(price(Number.MAX_SAFE_INTEGER, 'EUR', 'en')), '€90,071,992,547,409.91')
})

test('the language comes from the URL, else from the configuration, else from the preferences of the browser', () => {
  deepEqual(localizationOf(['fr', 'de'], 'en'), { language: 'fr', locale: 'fr' })
  deepEqual(localizationOf([undefined, 'de'], 'en'), { language: 'de', locale: 'de' })
  deepEqual(localizationOf([], 'en;q=0.4, de-CH;q=0.9'), { language: 'de', locale: 'de-CH' })
  deepEqual(localizationOf([], 'fr;q=0, *'), { language: 'en', locale: 'en' })
  deepEqual(localizationOf(['ar-EG'], undefined), { language: 'ar', locale: 'ar-EG' })
  deepEqual(localizationOf([], 'zh-Hant-TW, en;q=0.5'), { language: 'zh', locale: 'zh-Hant-TW' })
  deepEqual(localizationOf(['de-'], undefined), { language: 'de', locale: 'de' })
})

test('text on any theme colour has enough contrast, and the colour scheme follows the background', () => {
  for (const colour of [
    '#000000',
    '#fff',
    '#1457d9',
    '#e8590c',
    '#ffd43b',
    '#808080',
    '#0b7a4b',
    '#7c5cff',
    '#767676',
    '#777777',
    '#967332',
  ])
    ok(contrast(colour, lettersOn(colour)) >= 4.5, colour)
  equal(themeOf({ background_colour: '#101010' }).scheme, 'dark')
  equal(themeOf({ background_colour: '#fff4e6' }).scheme, 'light')
  equal(themeOf({}).scheme, null)
})

test('every way to pay has the name that shoppers know, and two ways of one list never have the same', async () => {
  const { nameOf, plainName } = await import(new URL('browser/method-names.js', import.meta.url).href)
  const ofCards = ['credit', 'debit', 'network_token']
  const raw = (type: string) =>
    type
      .split('_')
      .map(word => word[0]!.toUpperCase() + word.slice(1))
      .join(' ')
  const names = readFileSync(new URL('browser/method-names.js', import.meta.url), 'utf8')
  // Names that are what the type says.
  const asTheyAre =
    /^(affirm|alfamart|alma|amazon_pay|atome|bacs|benefit|bizum|bluecode|boleto|crypto_currency|efecty|flexiti|giropay|google_pay|indomaret|interac|apple_pay|klarna|lawson|multibanco|open_banking|paysera|paze|permata_bank_transfer|pix|pix_qr|przelewy24|revolut_pay|samsung_pay|seicomart|skrill|sofort|swish|trustly|venmo|vipps|walley|local_bank_transfer|indonesian_bank_transfer|instant_bank_transfer)$/
  for (const type of paymentMethodTypes)
    if (!ofCards.includes(type) && !asTheyAre.test(type) && !names.includes(`${type}: '`))
      notEqual(plainName(type), raw(type), `${type} needs the name that shoppers know: src/pages/browser/method-names.js`)
  equal(nameOf('bank_debit', 'sepa_guarenteed_debit'), 'SEPA Direct Debit, guaranteed')
  notEqual(nameOf('bank_debit', 'ach'), nameOf('bank_transfer', 'ach'))
})

test('a page whose script is not built says what is missing and opens itself later, and a page without a script is shown as it is', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-scripts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = openPageFiles(join(folder, 'dist'))
  const page = (script: string | null) =>
    documentOf(
      {
        ...{ localization: { language: 'en', locale: 'en' } as const, title: 'Pay', root: '../', style: '', scheme: null },
        script,
        classes: [],
        body: html`<p>Pay</p>`,
      },
      'n0nce',
      files(),
    )
  match(page('pay.js'), /http-equiv="refresh"[\s\S]*The page is being built[\s\S]*packages\/page-scripts\/dist/)
  match(page(null), /<p>Pay<\/p>/)
  const path = /pages\/[0-9a-f]{16}/
  const [before] = path.exec(page(null))!
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/pay.js'), 'pay()')
  match(page('pay.js'), /<p>Pay<\/p>/)
  notEqual(path.exec(page('pay.js'))![0], before)
})
