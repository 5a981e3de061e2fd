import type { PayoutLinkConfig } from '../accounts/payout-link-config.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import type { RecipientWay } from '../instruments/recipient-ways.ts'
import { documentHeaders, documentOf } from './document.ts'
import { dataFor, type Html, html } from './html.ts'
import { type Localization, localizationOf } from './languages.ts'
import { marks } from './marks.ts'
import { type Translate, translator } from './page-texts.ts'
import { brandOf, factList, formSection, outcomeHead, recipientFormData } from './pieces.ts'
import type { CustomerPage } from './plain.ts'
import { themeOf } from './theme.ts'
import type { Visit } from './visit.ts'

/** The common parts of the pages of payout links and collect links: both ask for the payout method of a recipient. */

type Looks = Pick<PayoutLinkConfig, 'theme' | 'logo' | 'merchant_name' | 'form_layout'>

/** A visit with the parts of its page. `name`: the name of the sender. */
export type RecipientView = Visit & { looks: Looks; localization: Localization; say: Translate; name: string }

type Content = { title: string; script: string | null; main: Html }

export function recipientView(visit: Visit, looks: Looks): RecipientView {
  const localization = localizationOf([visit.locale], visit.acceptLanguage)
  return {
    ...visit,
    looks,
    localization,
    say: translator(localization.language),
    name: looks.merchant_name ?? merchantDisplayName(visit.merchant),
  }
}

/** `root`: the relative address of the service, from the page's address. */
export function recipientPage(
  { looks: { theme, logo, form_layout }, localization, nonce }: RecipientView,
  root: string,
  isEnded: boolean,
  framedBy: readonly string[],
  { title, script, main }: Content,
): CustomerPage {
  const { style, scheme } = themeOf(theme === undefined ? {} : { theme })
  const classes = ['beside', 'labels-above', `ways-${form_layout === 'tabs' ? 'tabs' : 'accordion'}`, ...(isEnded ? ['told'] : [])]
  const page = documentOf({ localization, title, root, style, scheme, script, classes, body: html`${main}${marks}` }, nonce)
  return { page, headers: documentHeaders({ nonce, images: logo === undefined ? [] : [logo], framedBy }) }
}

type Open = {
  title: string
  summary: { label: string; content: Html }
  /** The text that is shown if there is no payout method to choose. */
  noWay: string
  terms: Html | null
  button: string
  ways: readonly RecipientWay[]
  expires_in_ms: number
  /** The further data for the form's script: no more than a page of the merchant would have. */
  data: { root: string; submits: string; client_secret: string; words: Record<string, string>; there: string | null }
}

/** Returns the page with the form that its script fills with payout methods (`browser/payout.js`). */
export function openForm(
  { merchant, looks, say, name, mode }: RecipientView,
  { title, summary, noWay, terms, button, ways, expires_in_ms, data }: Open,
): Content {
  const main = html`<main>
<section class="summary" aria-label="${summary.label}">
${brandOf(looks.logo, name, true)}
${summary.content}
</section>
${formSection({
  heading: title,
  alert: ways.length === 0 ? html`<p class="alert">${noWay}</p>` : null,
  terms,
  button,
  scripts: say('payoutScripts'),
  say,
  mode,
  last: null,
})}
${ways.length === 0 ? null : dataFor('page', { publishable_key: merchant.publishable_key, ...recipientFormData(ways), expires_in_ms, ...data })}
</main>`
  return { title, script: ways.length === 0 ? null : 'payout.js', main }
}

type Ended = {
  is: string
  tone: 'good' | 'bad' | 'open'
  heading: string
  message: string
  facts: readonly (readonly [name: string, value: string])[]
  back: string | undefined
  /** The script of the page and its data, if a script runs. A visitor whom `return.js` sends back sees a notice. */
  runs: { script: 'return.js' | 'watch-payout.js'; data: object } | null
}

export function endedPage({ looks, say, name }: RecipientView, { is, tone, heading, message, facts, back, runs }: Ended): Content {
  const watched = runs?.script === 'watch-payout.js'
  const main = html`<main>
<section class="outcome ${tone}" aria-labelledby="heading">
${outcomeHead({ brand: brandOf(looks.logo, name, true), heading, message, looks: watched ? say('looks') : null })}
${factList(facts)}
${back === undefined ? html`<p class="small">${say('close')}</p>` : html`<a class="button quiet" href="${back}" id="back">${say('back', { merchant: name })}</a>`}
${runs?.script === 'return.js' ? html`<p class="small" id="returning"></p>` : null}
</section>
${runs && dataFor('page', runs.data)}
<span id="stands" data-stands="${is}"></span>
</main>`
  return { title: heading, script: runs?.script ?? null, main }
}

/** With the result as query parameters; the result that counts is what the merchant's server receives. */
export function addressWith(return_url: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(return_url)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
