import { currencies } from '../base/currencies.ts'
import { cardKinds } from '../instruments/networks.ts'
import { homesOfWays } from '../instruments/places.ts'
import { allowedStatuses, type CustomerState, statuses } from '../payments/lifecycle.ts'
import { allowedStatuses as payoutAllowedStatuses, statuses as payoutStatuses } from '../payouts/lifecycle.ts'
import { declineWords } from './declines.ts'
import { documentHeaders, documentOf } from './document.ts'
import { dataFor, type Html, html } from './html.ts'
import { type Language, localizationOf } from './languages.ts'
import { marked, marks } from './marks.ts'
import { paymentStates, payoutStates, scriptTexts, type Translate, translator, type Word } from './page-texts.ts'
import { recipientTones } from './payout-link.ts'
import { tones } from './pieces.ts'
import type { CustomerPage } from './plain.ts'

/**
 * Frames in a shop's own page (created by `sdk/v1.js`): an element, saved payment methods, a payout, a next action.
 * Their HTML is always the same: the page around names the payment or payout (`browser/channel.js`), and all else
 * comes from the calls that any checkout makes.
 */

export type FrameVisit = {
  /** The locale that the shop's page requested: `de-AT`. */
  locale: string | undefined
  acceptLanguage: string | undefined
  /** The color scheme with which the frame begins, before the page around has sent its appearance. */
  theme: string | undefined
  nonce: string
}

/** The relative address of the service, from a frame's address. */
const ROOT = '../'

const schemeOf = (theme: string | undefined): 'dark' | 'light' | null => (theme === 'dark' ? 'dark' : theme === 'auto' ? null : 'light')

function frame(
  visit: FrameVisit,
  parts: { title: string; script: string; classes: string[]; body: Html },
  asksBank: boolean,
): CustomerPage {
  const { nonce } = visit
  const localization = localizationOf([visit.locale], visit.acceptLanguage)
  const { title, script, classes, body } = parts
  const page = documentOf(
    { localization, title, root: ROOT, style: '', scheme: schemeOf(visit.theme), script, classes, body: html`${body}${marks}` },
    nonce,
  )
  return { page, headers: documentHeaders({ nonce, images: [], asksBank, hasFrames: true, fonts: ['https:'], framedBy: 'anyone' }) }
}

/** The currencies whose lowest denomination is not a hundredth. */
const unusualDecimals = Object.fromEntries(Object.entries(currencies).filter(([, decimals]) => decimals !== 2))

const cardData = { root: ROOT, kinds: cardKinds, marked, decimals: unusualDecimals, messages: [], declineWords }
/** The further data for a payment form. */
const payData = { homes: homesOfWays, payable: allowedStatuses.eligibility, nickname: false, cardFirst: true, terms: 'auto' }

const loading = (say: Translate): Html =>
  html`<div id="loading" class="loading" role="status"><span class="bar"></span><span class="bar"></span><span class="bar short"></span><span class="hidden">${say('loading')}</span></div>
<p id="progress" role="status" class="progress"></p>`

/** Returns a frame in the shop's page: a title for screen readers, an alert, and the frame's own content. */
function inPage(visit: FrameVisit, of: { title: Word; script: string; content: Html; data: object }): CustomerPage {
  const { language } = localizationOf([visit.locale], visit.acceptLanguage)
  const say = translator(language)
  const title = say(of.title)
  const body = html`<main>
<h1 class="hidden">${title}</h1>
<div id="alert" role="alert" tabindex="-1"></div>
<div id="ended"></div>
${of.content}
${loading(say)}
${dataFor('page', of.data)}
</main>`
  return frame(visit, { title, script: of.script, classes: ['element', 'ways-accordion', 'labels-above'], body }, false)
}

export function elementFrame(visit: FrameVisit): CustomerPage {
  const { language, locale } = localizationOf([visit.locale], visit.acceptLanguage)
  const say = translator(language)
  return inPage(visit, {
    title: 'frameTitle',
    script: 'sdk-frame.js',
    content: html`<form id="pay" novalidate hidden>
<div id="ways"></div>
<p class="terms" id="surcharge" hidden></p>
<p class="terms" id="terms" hidden></p>
<button id="submit" type="submit" hidden>${say('resume')}</button>
</form>`,
    data: { ...cardData, ...payData, locale, words: scriptTexts('frame', language), outcomes: outcomesOf(language) },
  })
}

export function methodsFrame(visit: FrameVisit): CustomerPage {
  const { language, locale } = localizationOf([visit.locale], visit.acceptLanguage)
  const say = translator(language)
  return inPage(visit, {
    title: 'methodsTitle',
    script: 'sdk-methods.js',
    content: html`<div id="saved">
<ul id="methods" class="saved-list" aria-label="${say('methodsTitle')}" hidden></ul>
<p id="none" class="none" hidden>${say('noMethods')}</p>
</div>
<button id="add" type="button" class="button quiet" hidden>${say('addCard')}</button>
<form id="pay" class="adding" novalidate hidden aria-labelledby="adding">
<h2 id="adding">${say('addCard')}</h2>
<div id="ways"></div>
<p class="terms" id="terms" hidden></p>
<button id="submit" type="submit"><span class="spinner" aria-hidden="true"></span><span id="submit-words">${say('saveCard')}</span></button>
<button id="cancel" type="button" class="link">${say('cancelAdding')}</button>
</form>`,
    data: {
      ...cardData,
      ...payData,
      locale,
      words: scriptTexts('methodsFrame', language),
      outcomes: { expired: { tone: tones.expired, heading: say('keyOver'), says: say('keyOverSays') } },
    },
  })
}

export function payoutFrame(visit: FrameVisit): CustomerPage {
  const { language, locale } = localizationOf([visit.locale], visit.acceptLanguage)
  const say = translator(language)
  const entries = Object.entries(payoutStatuses).map(([status, { recipient }]) => {
    const { heading, message } = payoutStates(language)[recipient]
    return [status, { tone: recipientTones[recipient], heading, says: message }] as const
  })
  const over = { tone: recipientTones.expired, heading: say('payoutOver'), says: say('payoutOverSays') }
  return inPage(visit, {
    title: 'payoutFrameTitle',
    script: 'sdk-payout.js',
    content: html`<section id="summary" class="payout" aria-labelledby="heading" hidden>
<h2 id="heading"></h2>
<p class="amount" id="amount"></p>
<p class="what" id="what"></p>
</section>
<form id="pay" novalidate hidden>
<div id="ways"></div>
<button id="submit" type="submit"><span class="spinner" aria-hidden="true"></span><span id="submit-words"></span></button>
</form>`,
    data: {
      ...cardData,
      locale,
      words: scriptTexts('payoutFrame', language),
      outcomes: { ...Object.fromEntries(entries), expired: over },
      open: payoutAllowedStatuses.confirm,
      underWay: Object.entries(payoutStatuses).flatMap(([status, { recipient }]) => (recipient === 'on its way' ? [status] : [])),
    },
  })
}

export function actionFrame(visit: FrameVisit): CustomerPage {
  const { language } = localizationOf([visit.locale], visit.acceptLanguage)
  const say = translator(language)
  const body = html`<main role="dialog" aria-modal="true" aria-labelledby="heading">
<header><h1 id="heading">${say('actionHeading')}</h1><button type="button" id="close" aria-label="${say('closeAction')}"></button></header>
<iframe id="bank" name="bank" title="${say('actionHeading')}"></iframe>
<button type="button" class="link" id="whole" hidden>${say('wholePage')}</button>
${dataFor('page', { root: ROOT, words: { over: say('sessionOverSays'), silent: say('notNow'), notTaken: say('notTaken') } })}
</main>`
  return frame(visit, { title: say('actionHeading'), script: 'sdk-action.js', classes: ['action'], body }, true)
}

/** Returns the texts that a customer sees for each status, and for a session that is over. */
function outcomesOf(language: Language): Record<string, { tone: string; heading: string; says: string }> {
  const say = translator(language)
  const outcomeOf = (state: CustomerState) => {
    const { heading, message } = paymentStates(language)[state]
    return { tone: tones[state], heading, says: message }
  }
  const all = Object.entries(statuses).map(([status, { customerState }]) => [status, outcomeOf(customerState)] as const)
  return { ...Object.fromEntries(all), expired: { tone: tones.expired, heading: say('sessionOver'), says: say('sessionOverSays') } }
}
