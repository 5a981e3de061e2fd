import { currencies } from '../base/currencies.ts'
import { cardKinds } from '../instruments/networks.ts'
import { homesOfWays } from '../instruments/places.ts'
import { type CustomerHears, statuses, welcomes } from '../payments/lifecycle.ts'
import { documentHeaders, documentOf } from './document.ts'
import { dataFor, type Html, html } from './html.ts'
import { tongueOf } from './languages.ts'
import { marked, marks } from './marks.ts'
import { formModules, tones } from './pieces.ts'
import type { CustomerPage } from './plain.ts'
import { frameWords, outcomes, wordsIn } from './words.ts'

/**
 * Frames of this service in a shop's own page (`sdk/v1.js` makes them): the form of an element, and what a customer
 * must do next. They are the same for every payment; of which one they are the page around tells them
 * (`browser/channel.js`), and all else they ask by the calls that any checkout makes.
 */

export type FrameVisit = {
  /** As the shop's page asked: `de-AT`. */
  locale: string | undefined
  acceptLanguage: string | undefined
  /** The scheme in which it begins, before the page around has said how it looks. */
  theme: string | undefined
  nonce: string
}

/** From a frame's address to the service. */
const ROOT = '../'

/** The modules of a frame, which are fetched beside its script instead of one after the other. */
const ofForm = [...formModules, 'appearance.js', 'channel.js', 'contrast.js', 'ended.js', 'surcharge.js']
const ofAction = 'appearance channel contrast frames issuer parts service'.split(' ').map(name => `${name}.js`)

const schemeOf = (theme: string | undefined): 'dark' | 'light' | null => (theme === 'dark' ? 'dark' : theme === 'auto' ? null : 'light')

function frame(
  visit: FrameVisit,
  parts: { title: string; script: string; modules: string[]; classes: string[]; body: Html },
  asksBank: boolean,
): CustomerPage {
  const { nonce } = visit
  const tongue = tongueOf([visit.locale], visit.acceptLanguage)
  const { title, script, modules, classes, body } = parts
  const page = documentOf(
    { tongue, title, root: ROOT, style: '', scheme: schemeOf(visit.theme), script, modules, classes, body: html`${body}${marks}` },
    nonce,
  )
  return { page, headers: documentHeaders({ nonce, images: [], asksBank, hasFrames: true, fonts: ['https:'], framedBy: 'anyone' }) }
}

/** Currencies whose lowest denomination is no hundredth. */
const unusualDecimals = Object.fromEntries(Object.entries(currencies).filter(([, decimals]) => decimals !== 2))

/** The form of an element. */
export function elementFrame(visit: FrameVisit): CustomerPage {
  const { language, locale } = tongueOf([visit.locale], visit.acceptLanguage)
  const say = wordsIn(language)
  const words = frameWords(language)
  const data = {
    root: ROOT,
    locale,
    words,
    kinds: cardKinds,
    marked,
    homes: homesOfWays,
    decimals: unusualDecimals,
    payable: welcomes.eligibility,
    outcomes: outcomesOf(say),
    nickname: false,
    cardFirst: true,
    terms: 'auto',
    messages: [],
  }
  const body = html`<main>
<h1 class="hidden">${say('frameTitle')}</h1>
<div id="alert" role="alert" tabindex="-1"></div>
<div id="ended"></div>
<form id="pay" novalidate hidden>
<div id="ways"></div>
<p class="terms" id="surcharge" hidden></p>
<p class="terms" id="terms" hidden></p>
<button id="submit" type="submit" hidden>${say('resume')}</button>
</form>
<div id="loading" class="loading" role="status"><span class="bar"></span><span class="bar"></span><span class="bar short"></span><span class="hidden">${say('loading')}</span></div>
<p id="progress" role="status" class="progress"></p>
${dataFor('page', data)}
</main>`
  return frame(
    visit,
    { title: say('frameTitle'), script: 'sdk-frame.js', modules: ofForm, classes: ['element', 'ways-accordion', 'labels-above'], body },
    false,
  )
}

/** What a customer must do next, over the shop's page. */
export function actionFrame(visit: FrameVisit): CustomerPage {
  const { language } = tongueOf([visit.locale], visit.acceptLanguage)
  const say = wordsIn(language)
  const body = html`<main role="dialog" aria-modal="true" aria-labelledby="heading">
<header><h1 id="heading">${say('actionHeading')}</h1><button type="button" id="close" aria-label="${say('closeAction')}"></button></header>
<iframe id="bank" name="bank" title="${say('actionHeading')}"></iframe>
<button type="button" class="link" id="whole" hidden>${say('wholePage')}</button>
${dataFor('page', { root: ROOT })}
</main>`
  return frame(visit, { title: say('actionHeading'), script: 'sdk-action.js', modules: ofAction, classes: ['action'], body }, true)
}

/** What a customer is told of each status, and of a session that is over. */
function outcomesOf(say: ReturnType<typeof wordsIn>): Record<string, { tone: string; heading: string; says: string }> {
  const told = (hears: CustomerHears) => ({ tone: tones[hears], heading: say(outcomes[hears].heading), says: say(outcomes[hears].says) })
  const all = Object.entries(statuses).map(([status, { customer }]) => [status, told(customer)] as const)
  return { ...Object.fromEntries(all), expired: { tone: tones.expired, heading: say('sessionOver'), says: say('sessionOverSays') } }
}
