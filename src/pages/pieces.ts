import { cardKinds } from '../instruments/networks.ts'
import type { RecipientWay } from '../instruments/recipient-ways.ts'
import type { CustomerHears } from '../payments/lifecycle.ts'
import { type Html, html } from './html.ts'
import { marked } from './marks.ts'
import type { wordsIn } from './words.ts'

/** What pages of links are made of, whichever way the money goes. */

/** Who they are whose page it is. */
export const brandOf = (logo: string | undefined, name: string, isNamed: boolean): Html => html`<div class="brand">
${logo === undefined ? null : html`<img id="logo" src="${logo}" alt="${isNamed ? '' : name}">`}
${isNamed ? html`<span>${name}</span>` : null}
</div>`

export const factList = (lines: readonly (readonly [name: string, value: string])[]): Html =>
  html`<dl class="facts">${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

type Form = {
  heading: string
  alert: Html | null
  terms: Html | null
  button: string
  /** Without scripts nothing can be sent. */
  scripts: string
  say: ReturnType<typeof wordsIn>
  mode: 'test' | 'live'
  last: Html | null
}

/** The form that a script fills with ways to choose from (`browser/form.js`). */
export const formSection = ({ heading, alert, terms, button, scripts, say, mode, last }: Form): Html =>
  html`<section class="form" aria-labelledby="heading">
<h1 id="heading">${heading}</h1>
<div id="alert" role="alert" tabindex="-1">${alert}</div>
<form id="pay" novalidate hidden>
<div id="ways"></div>
${terms}
<p class="terms" id="terms" hidden></p>
<button id="submit" type="submit"><span class="spinner" aria-hidden="true"></span><span id="submit-words">${button}</span></button>
<p class="small">${say('encrypted')}</p>
</form>
<div id="loading" class="loading" role="status"><span class="bar"></span><span class="bar"></span><span class="bar short"></span><span class="hidden">${say('loading')}</span></div>
<p id="progress" role="status" class="progress"></p>
<noscript><p class="alert">${scripts}</p></noscript>
${mode === 'test' ? html`<p class="test"><strong>${say('testMode')}</strong> ${say('testModeSays')}</p>` : null}
${last}
</section>`

/** How it stands: `looks` says that the page looks again by itself. */
export const outcomeHead = ({ brand, heading, says, looks }: { brand: Html; heading: string; says: string; looks: string | null }): Html =>
  html`${brand}
<span class="sign" aria-hidden="true"></span>
<h1 id="heading">${heading}</h1>
<p role="status">${says}${looks === null ? null : html` ${looks}`}</p>`

/**
 * What `browser/return.js` goes by: for five seconds a customer sees that it worked before they are back at the shop.
 */
export const returningData = (say: ReturnType<typeof wordsIn>) => ({
  returns: { seconds: 5, words: say('returning', { seconds: '{seconds}' }) },
})
/** Who opens the page later wants to read it. */
export const RETURNS_WITHIN_MS = 600_000

/** What the form of a recipient goes by, whichever page it stands on. */
export const recipientFormData = (ways: readonly RecipientWay[]) => ({
  kinds: cardKinds,
  marked,
  ways: ways.map(({ is, type, place, said, asks, option }) => ({ is, type, place, said, asks, option })),
})

/** How an outcome looks. */
export const tones: Record<CustomerHears, 'good' | 'bad' | 'open'> = {
  'not begun': 'open',
  'under way': 'open',
  waiting: 'open',
  approved: 'good',
  made: 'good',
  failed: 'bad',
  cancelled: 'bad',
  expired: 'open',
  'looked into': 'open',
}
