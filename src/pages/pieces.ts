import { cardKinds } from '../instruments/networks.ts'
import type { RecipientWay } from '../instruments/recipient-ways.ts'
import type { CustomerState } from '../payments/lifecycle.ts'
import { type Html, html } from './html.ts'
import { marked } from './marks.ts'
import type { Translate } from './page-texts.ts'

/** Returns the brand of the page's owner: logo and name. */
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
  /** The text shown to browsers without scripts, which cannot send the form. */
  scripts: string
  say: Translate
  mode: 'test' | 'live'
  last: Html | null
}

/** Returns the form that a script fills with payment or payout methods (`browser/form.js`). */
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

/** The head of a page that shows a state. `looks`: the words that it updates itself, else null. */
export const outcomeHead = ({
  brand,
  heading,
  message,
  looks,
}: {
  brand: Html
  heading: string
  message: string
  looks: string | null
}): Html =>
  html`${brand}
<span class="sign" aria-hidden="true"></span>
<h1 id="heading">${heading}</h1>
<p role="status">${message}${looks === null ? null : html` ${looks}`}</p>`

/** For `browser/return.js`: five seconds of success before the browser returns to the shop. */
export const returningData = (say: Translate) => ({
  returns: { seconds: 5, words: say('returning', { seconds: '{seconds}' }) },
})
/** After the payment, the page returns to the shop by itself so long; later visitors want to read it. */
export const RETURNS_WITHIN_MS = 600_000

export const recipientFormData = (ways: readonly RecipientWay[]) => ({
  kinds: cardKinds,
  marked,
  ways: ways.map(({ is, type, place, fixed: said, asks, option }) => ({ is, type, place, said, asks, option })),
})

export const tones: Record<CustomerState, 'good' | 'bad' | 'open'> = {
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
