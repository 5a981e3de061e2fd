import type { Merchant } from '../accounts/merchant.ts'
import { type BusinessPayoutLink, businessPayoutLink } from '../accounts/payout-link-config.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { between } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { RecipientWay } from '../instruments/recipient-ways.ts'
import { type CollectLink, collected } from '../payment-methods/collect-link.ts'
import { type CollectStands, collectOutcomes } from './collect-words.ts'
import { documentHeaders, documentOf } from './document.ts'
import { dataFor, type Html, html } from './html.ts'
import { type Tongue, tongueOf } from './languages.ts'
import { marks } from './marks.ts'
import { brandOf, factList, formSection, outcomeHead, RETURNS_AFTER_S, RETURNS_WITHIN_MS, recipientFormData } from './pieces.ts'
import { themeOf } from './theme.ts'
import { collectFormWords, wordsIn } from './words.ts'

/**
 * The page of a collect link: the form in which a customer gives what is saved, or how the link stands. It is that of a
 * payout's recipient (`payout-link.ts`) without money, and its script is the same (`browser/payout.js`).
 */

export type CollectLinkVisit = {
  merchant: Merchant
  link: CollectLink
  now: Time
  mode: 'test' | 'live'
  locale: string | undefined
  acceptLanguage: string | undefined
  nonce: string
}
type View = CollectLinkVisit & { config: BusinessPayoutLink; tongue: Tongue; say: ReturnType<typeof wordsIn>; name: string }

/** From the page's address to the service. */
const ROOT = '../../../'

const standing = ({ link, now }: Pick<CollectLinkVisit, 'link' | 'now'>): 'open' | CollectStands =>
  link.status === 'submitted' ? 'submitted' : link.expires_on <= now ? 'expired' : 'open'

/**
 * The page, and what the browser is told of it. How it looks the link says, before the profile's links of payouts do.
 */
export function collectPage(visit: CollectLinkVisit): { page: string; headers: Record<string, string> } {
  const { merchant, link, nonce } = visit
  const config = { ...businessPayoutLink(merchant, link.profile_id), ...link.request }
  const tongue = tongueOf([visit.locale], visit.acceptLanguage)
  const name = config.merchant_name ?? merchantDisplayName(merchant)
  const view: View = { ...visit, config, tongue, say: wordsIn(tongue.language), name }
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
  const images = config.logo === undefined ? [] : [config.logo]
  return { page, headers: documentHeaders({ nonce, images, framedBy: config.allowed_domains ?? [] }) }
}

type Content = { title: string; script: string | null; main: Html }

function open(view: View): Content {
  const { merchant, link, config, say, name, mode } = view
  const title = say('collectedBy', { merchant: name })
  const ways = collected(merchant, link)
  const main = html`<main>
<section class="summary" aria-label="${name}">
${brandOf(config.logo, name, true)}
<p class="what">${say('collectSays', { merchant: name })}</p>
</section>
${formSection({
  heading: title,
  alert: ways.length === 0 ? html`<p class="alert">${say('noCollecting', { merchant: name })}</p>` : null,
  terms: html`<p class="terms">${say('collectTerms', { merchant: name })}</p>`,
  button: say('saveDetails'),
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
const formData = ({ merchant, link, tongue, now }: View, ways: readonly RecipientWay[]) => ({
  root: ROOT,
  publishable_key: merchant.publishable_key,
  submits: `payment_methods/collect/${link.merchant_id}/${link.pm_collect_link_id}`,
  client_secret: link.client_secret,
  words: collectFormWords(tongue.language),
  ...recipientFormData(ways),
  there: null,
  expires_in_ms: between(now, link.expires_on),
})

/** How the link stands. Who has just submitted it is taken back by the page itself. */
function ended(view: View, is: CollectStands): Content {
  const { link, now, config, say, name } = view
  const { heading, says } = collectOutcomes[is]
  const { return_url } = link.request
  const returns = return_url !== undefined && link.submitted_at !== null && between(link.submitted_at, now) < RETURNS_WITHIN_MS
  const facts: [string, string][] = [
    ...(is === 'submitted' ? [[say('savedFor'), name] as [string, string]] : []),
    [say('reference'), link.pm_collect_link_id],
  ]
  const main = html`<main>
<section class="outcome ${is === 'submitted' ? 'good' : 'open'}" aria-labelledby="heading">
${outcomeHead({ brand: brandOf(config.logo, name, true), heading: say(heading), says: say(says), looks: null })}
${factList(facts)}
${return_url === undefined ? html`<p class="small">${say('close')}</p>` : html`<a class="button quiet" href="${returnAddress(return_url, link, is)}" id="back">${say('back', { merchant: name })}</a>`}
${returns ? html`<p class="small" id="returning"></p>` : null}
</section>
${returns ? dataFor('page', { returns: { seconds: RETURNS_AFTER_S, words: say('returning', { seconds: '{seconds}' }) } }) : null}
<span id="stands" data-stands="${is}"></span>
</main>`
  return { title: say(heading), script: returns ? 'return.js' : null, main }
}

/** The merchant's page, with what came of the link. What counts is what is saved for the customer. */
function returnAddress(return_url: string, { pm_collect_link_id }: CollectLink, is: CollectStands): string {
  const url = new URL(return_url)
  url.searchParams.set('pm_collect_link_id', pm_collect_link_id)
  url.searchParams.set('status', is)
  return url.href
}
