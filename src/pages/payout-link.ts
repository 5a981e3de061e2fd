import type { Merchant } from '../accounts/merchant.ts'
import { businessPayoutLink, type PayoutLinkConfig } from '../accounts/payout-link-config.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { between } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { RecipientWay } from '../instruments/recipient-ways.ts'
import { type RecipientHears, statuses, welcomes } from '../payouts/lifecycle.ts'
import { linkConfigOf, waysOf } from '../payouts/link.ts'
import type { Payout } from '../payouts/payout.ts'
import { documentHeaders, documentOf } from './document.ts'
import { dataFor, type Html, html } from './html.ts'
import { type Tongue, tongueOf } from './languages.ts'
import { marks } from './marks.ts'
import { price } from './money.ts'
import { payoutOutcomes } from './payout-words.ts'
import { brandOf, factList, formSection, outcomeHead, recipientFormData } from './pieces.ts'
import { themeOf } from './theme.ts'
import { payoutFormWords, wordsIn } from './words.ts'

/**
 * The page of a payout link: what is paid, and the form in which its recipient says whereto; or how the payout
 * stands. What the form does, it does by the one call that browsers may make (`browser/payout.js`).
 */

export type PayoutLinkVisit = {
  merchant: Merchant
  payout: Payout
  now: Time
  mode: 'test' | 'live'
  locale: string | undefined
  acceptLanguage: string | undefined
  nonce: string
}
type View = PayoutLinkVisit & { config: PayoutLinkConfig; tongue: Tongue; say: ReturnType<typeof wordsIn>; sender: string; amount: string }

/** From the page's address to the service. */
const ROOT = '../../'

/** May the recipient still say whereto they are paid? Before it is confirmed, until the session is over. */
const standing = ({ payout, now }: Pick<PayoutLinkVisit, 'payout' | 'now'>): 'open' | RecipientHears =>
  (welcomes.confirm as readonly string[]).includes(payout.status)
    ? payout.expires_on <= now
      ? 'expired'
      : 'open'
    : statuses[payout.status].recipient

/** The page, and what the browser is told of it. */
export function payoutPage(visit: PayoutLinkVisit): { page: string; headers: Record<string, string> } {
  const { merchant, payout, nonce } = visit
  const config = linkConfigOf(merchant, payout)
  const { allowed_domains = [] } = businessPayoutLink(merchant, payout.profile_id)
  const tongue = tongueOf([visit.locale], visit.acceptLanguage)
  const view: View = {
    ...visit,
    config,
    tongue,
    say: wordsIn(tongue.language),
    sender: config.merchant_name ?? merchantDisplayName(merchant),
    amount: price(payout.amount, payout.currency, tongue.locale),
  }
  const is = standing(visit)
  const { title, script, main } = is === 'open' ? open(view) : ended(view, is)
  const { style, scheme } = themeOf(config.theme === undefined ? {} : { theme: config.theme })
  const classes = [
    'beside',
    'labels-above',
    `ways-${config.form_layout === 'tabs' ? 'tabs' : 'accordion'}`,
    ...(is === 'open' ? [] : ['told']),
  ]
  const page = documentOf({ tongue, title, root: ROOT, style, scheme, script, classes, body: html`${main}${marks}` }, nonce)
  return { page, headers: documentHeaders({ nonce, images: config.logo === undefined ? [] : [config.logo], framedBy: allowed_domains }) }
}

type Content = { title: string; script: string | null; main: Html }

function open(view: View): Content {
  const { merchant, payout, config, say, sender, amount, mode } = view
  const title = say('paidBy', { merchant: sender })
  const ways = waysOf(merchant, payout)
  const main = html`<main>
<section class="summary" aria-label="${say('yourPayout')}">
${brandOf(config.logo, sender, true)}
${payout.request.description === undefined ? null : html`<p class="what">${payout.request.description}</p>`}
<p class="amount">${amount}</p>
</section>
${formSection({
  heading: title,
  alert: ways.length === 0 ? html`<p class="alert">${say('noWay')}</p>` : null,
  terms: null,
  button: say('receive', { amount }),
  scripts: say('payoutScripts'),
  say,
  mode,
  last: null,
})}
${ways.length === 0 ? null : dataFor('page', formData(view, ways))}
</main>`
  return { title, script: ways.length === 0 ? null : 'payout.js', main }
}

/** What the form's script goes by: no more than a page of the merchant's would have. */
const formData = ({ merchant, payout, tongue, now }: View, ways: readonly RecipientWay[]) => ({
  root: ROOT,
  publishable_key: merchant.publishable_key,
  submits: `payouts/${payout.payout_id}/confirm`,
  client_secret: payout.client_secret,
  words: payoutFormWords(tongue.language),
  ...recipientFormData(ways),
  /** Whereto it goes if the recipient says nothing else. */
  there: payout.recipient && payout.recipient.is === payout.payout_type ? shownOf(payout) : null,
  expires_in_ms: between(now, payout.expires_on),
})

/** How the payout stands. */
function ended(view: View, is: RecipientHears): Content {
  const { payout, config, say, sender, amount } = view
  const { heading, says } = payoutOutcomes[is]
  const watched = is === 'on its way'
  const { return_url, description } = payout.request
  const to = shownOf(payout)
  const facts: [string, string][] = [
    [say('sender'), sender],
    ...(description === undefined ? [] : [[say('purpose'), description] as [string, string]]),
    [say('amount'), amount],
    ...(to === null || is === 'expired' ? [] : [[say('paidTo'), to] as [string, string]]),
    [say('reference'), payout.payout_id],
  ]
  const main = html`<main>
<section class="outcome ${tones[is]}" aria-labelledby="heading">
${outcomeHead({ brand: brandOf(config.logo, sender, true), heading: say(heading), says: say(says), looks: watched ? say('looks') : null })}
${factList(facts)}
${return_url === undefined ? html`<p class="small">${say('close')}</p>` : html`<a class="button quiet" href="${returnAddress(return_url, payout)}" id="back">${say('back', { merchant: sender })}</a>`}
</section>
${watched ? dataFor('page', { stands: is }) : null}
<span id="stands" data-stands="${is}"></span>
</main>`
  return { title: say(heading), script: watched ? 'watch-payout.js' : null, main }
}

/** The sender's page, with what came of it. What counts is what their server hears. */
function returnAddress(return_url: string, { payout_id, status }: Payout): string {
  const url = new URL(return_url)
  url.searchParams.set('payout_id', payout_id)
  url.searchParams.set('status', status)
  return url.href
}

/** How an outcome looks. */
const tones: Record<RecipientHears, 'good' | 'bad' | 'open'> = {
  'not begun': 'open',
  confirmed: 'good',
  'on its way': 'open',
  paid: 'good',
  failed: 'bad',
  returned: 'bad',
  cancelled: 'bad',
  expired: 'open',
}

/** Whereto it goes, as it is masked: the end of a number, the beginning of an address; null if nothing was said. */
function shownOf({ recipient }: Payout): string | null {
  if (recipient === null) return null
  const { last4, ...shown } = recipient.shown
  if (typeof last4 === 'string') return `•••• ${last4}`
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : value === null || value === undefined ? [] : Object.values(value).flatMap(texts)
  const inside = Object.values(shown).find(one => typeof one === 'object' && one !== null && 'last4' in one) as
    | { last4: string }
    | undefined
  return inside ? `•••• ${inside.last4}` : (texts(shown).find(text => text.includes('*')) ?? null)
}
