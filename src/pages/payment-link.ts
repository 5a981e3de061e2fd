import { businessLinkConfig, type LinkConfig } from '../accounts/payment-link-config.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { between } from '../base/time.ts'
import { onwardOf } from '../connectors/next-action.ts'
import type { Time, Vault } from '../context.ts'
import { cardKinds } from '../instruments/networks.ts'
import { homesOfWays } from '../instruments/places.ts'
import { mayBeRetried, retriesByHand } from '../payments/authorization/retry-target.ts'
import { billingOf } from '../payments/billing.ts'
import { linkConfigOf } from '../payments/checkout/payment-link.ts'
import { allowedStatuses, type CustomerState, statuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { authorizePage } from '../payments/three-ds/external-three-ds.ts'
import { returnAddress, returnUrlOf, startPage } from '../payments/three-ds/return-page.ts'
import { declineWords, wordForDecline } from './declines.ts'
import { documentHeaders, documentOf } from './document.ts'
import { dataFor, type Html, html } from './html.ts'
import { type Localization, localizationOf } from './languages.ts'
import { marked, marks } from './marks.ts'
import { price } from './money.ts'
import { authenticationFor, stepOf } from './next-step.ts'
import { paymentStates, scriptTexts, type Translate, translator } from './page-texts.ts'
import { brandOf, factList, formSection, outcomeHead, RETURNS_WITHIN_MS, returningData, tones } from './pieces.ts'
import type { CustomerPage } from './plain.ts'
import { themeOf } from './theme.ts'
import type { Visit } from './visit.ts'

/**
 * The order and the payment form (calls of any checkout: `browser/pay.js`), or the state of the payment, which waiting
 * customers of other checkouts see as well.
 */

export type PaymentLinkVisit = Visit & {
  vault: Pick<Vault, 'open'>
  payment: Payment
  publicUrl: string
  /** In a frame of the shop (the secure link), of the checkout that shows a challenge, or a page of its own. */
  framed: boolean | 'by the checkout'
  /** The relative address of the service, from the page's address; default: that of links. */
  root?: string
}

type View = PaymentLinkVisit & { config: LinkConfig; localization: Localization; say: Translate; seller: string; root: string }

/** Before the first attempt, and after a decline, until the session is over. */
export function standing({
  merchant,
  payment,
  now,
}: Pick<PaymentLinkVisit, 'merchant' | 'payment' | 'now'>): 'payable' | 'expired' | 'under way' | 'over' {
  const open = allowedStatuses.confirm.includes(payment.status) || (payment.status === 'failed' && retriesByHand(merchant, payment, true))
  if (open)
    return payment.expires_on <= now ? (payment.status === 'failed' ? 'over' : 'expired') : mayBePaid(payment, now) ? 'payable' : 'over'
  const state = statuses[payment.status].customerState
  return state === 'under way' || state === 'waiting' ? 'under way' : 'over'
}

const mayBePaid = (payment: Payment, now: Time): boolean => payment.status !== 'failed' || mayBeRetried(payment, now, true)

/** Returns the relative address of the service, from the page's address. */
const rootOf = (framed: PaymentLinkVisit['framed']): string => '../'.repeat(framed ? 3 : 2)

export function linkPage(visit: PaymentLinkVisit): CustomerPage {
  const { merchant, payment, framed, nonce } = visit
  const config = linkConfigOf(merchant, payment)
  const { allowed_domains = [] } = businessLinkConfig(merchant, payment.profile_id)
  const localization = localizationOf([visit.locale, config.locale], visit.acceptLanguage)
  const view: View = {
    ...visit,
    config,
    localization,
    say: translator(localization.language),
    seller: config.seller_name ?? merchantDisplayName(merchant),
    root: visit.root ?? rootOf(framed),
  }
  const is = standing(visit)
  const images = [config.logo, config.background_image?.url].filter(url => url !== undefined)
  const { style, scheme } = themeOf(config)
  const { title, script, main, images: more = [], asksBank = false } = is === 'payable' ? payable(view) : ended(view, is)
  const page = documentOf(
    { localization, title, root: view.root, style, scheme, script, classes: classesOf(view, is), body: html`${main}${marks}` },
    nonce,
  )
  return {
    page,
    headers: documentHeaders({
      nonce,
      images: [...images, ...more],
      asksBank,
      hasFrames: is === 'payable',
      framedBy: framed === 'by the checkout' ? 'anyone' : framed ? allowed_domains : [],
    }),
  }
}

const classesOf = ({ config, framed }: View, is: ReturnType<typeof standing>): string[] => [
  config.details_layout === 'layout2' ? 'stacked' : 'beside',
  `labels-${config.payment_form_label_type ?? 'above'}`,
  `ways-${config.sdk_layout ?? 'accordion'}`,
  ...(is === 'payable' ? [] : ['told']),
  ...(config.display_sdk_only ? ['form-only'] : []),
  ...(config.background_image ? ['pictured'] : []),
  ...(framed ? ['framed'] : []),
]

type Content = { title: string; script: string | null; main: Html; images?: string[]; asksBank?: boolean }

const setsUp = ({ payment, config }: View): boolean => payment.amount === 0 || config.is_setup_mandate_flow === true

function payable(view: View): Content {
  const { payment, config, say, seller, mode } = view
  const title = say(setsUp(view) ? 'saveFor' : 'payTo', { merchant: seller })
  const terms = config.custom_message_for_card_terms
  const main = html`<main>
${summary(view)}
${formSection({
  heading: config.payment_form_header_text ?? title,
  alert: payment.status === 'failed' ? declined(view) : null,
  terms: terms === undefined ? null : html`<p class="terms">${terms}</p>`,
  button: buttonText(view),
  scripts: say('scripts'),
  say,
  mode,
  last: branding(view),
})}
${dataFor('page', formData(view))}
</main>`
  return { title, script: 'pay.js', main }
}

function buttonText(view: View): string {
  const { payment, config, say, localization } = view
  if (config.payment_button_text !== undefined) return config.payment_button_text
  return setsUp(view) ? say('saveCard') : say('pay', { amount: price(payment.net_amount, payment.currency, localization.locale) })
}

const declined = ({ payment, say }: View): Html => html`<p class="alert">${say(wordForDecline(payment.last_error))}</p>`

const countryOf = ({ request }: Payment): string | null => billingOf(request)?.address?.country ?? null

/** Returns the data for the form's script: no more than the merchant's own checkout would have. */
const formData = (view: View) => {
  const { merchant, payment, config, localization, root, seller, now } = view
  return {
    root,
    publishable_key: merchant.publishable_key,
    payment_id: payment.payment_id,
    client_secret: payment.client_secret,
    status: payment.status,
    attempts: payment.attempt_count,
    declineWords,
    payable: allowedStatuses.eligibility,
    locale: localization.locale,
    merchant: seller,
    words: scriptTexts('form', localization.language),
    button: buttonText(view),
    kinds: cardKinds,
    marked,
    expires_in_ms: between(now, payment.expires_on),
    /** The customer for whom a card can be saved. */
    customer_id: payment.customer_id,
    setup: setsUp(view),
    /** Whether saved cards are offered: to a customer whom the merchant knows, unless the merchant disables this. */
    saved: payment.customer_id !== null && config.enabled_saved_payment_method !== false,
    homes: homesOfWays,
    currency: payment.currency,
    country: countryOf(payment),
    // A visitor may not be the cardholder: the security code is asked for even if the processor needs none.
    asksCode: true,
    nickname: config.hide_card_nickname_field !== true,
    cardFirst: config.show_card_form_by_default !== false,
    terms: config.show_card_terms ?? 'auto',
    ownTerms: config.custom_message_for_card_terms !== undefined,
    messages: config.custom_message_for_payment_method_types ?? [],
    onlyWhenReady: config.enable_button_only_on_form_ready === true,
  }
}

function ended(view: View, is: 'expired' | 'under way' | 'over'): Content {
  const { merchant, payment, now, say, seller, publicUrl, localization } = view
  const state: CustomerState = is === 'expired' ? 'expired' : statuses[payment.status].customerState
  const watched = is === 'under way' && payment.expires_on > now
  const step = watched ? stepOf(payment, { say, locale: localization.locale, framed: view.framed === 'by the checkout' }) : null
  const { heading, message } =
    step === null ? paymentStates(localization.language)[state] : { heading: say(step.heading), message: say(step.message) }
  const authentication = watched ? authenticationFor(payment, authorizePage(publicUrl, payment)) : null
  const onward = onwardOf(payment.next_action)
  // A customer who pays elsewhere, in an app or at a bank, need not stay on this page.
  const staysOnlyToWatch = step !== null && authentication === null && step.collects === undefined && !view.framed
  const back =
    returnUrlOf(merchant, payment) === undefined || (is === 'under way' && !staysOnlyToWatch)
      ? null
      : is === 'expired'
        ? returnUrlOf(merchant, payment)!
        : returnAddress(view.vault, merchant, payment, now)
  // A page in a frame does not redirect: the shop around the frame learns the result by itself.
  const returns = back !== null && tones[state] === 'good' && !view.framed && between(payment.modified_at, now) < RETURNS_WITHIN_MS
  const data = {
    root: view.root,
    publishable_key: merchant.publishable_key,
    payment_id: payment.payment_id,
    client_secret: payment.client_secret,
    status: payment.status,
    ...(authentication && { authentication }),
    ...(step?.collects && { collects: step.collects }),
  }
  const main = html`<main>
<section class="outcome ${tones[state]}" aria-labelledby="heading">
${outcomeHead({ brand: brand(view), heading, message, looks: watched && !authentication && !step?.collects ? say('looks') : null })}
${step?.content ?? null}
${facts(view)}
${authentication ? html`<button type="button" class="button" id="authenticate" hidden>${say('goOn')}</button>` : null}
${onward === null ? null : html`<a class="button" href="${startPage(publicUrl, payment)}" id="onward">${say('goOn')}</a>`}
${back === null ? html`<p class="small">${is === 'under way' ? null : say('close')}</p>` : html`<a class="button quiet" href="${back}" id="back">${say('back', { merchant: seller })}</a>`}
${returns ? html`<p class="small" id="returning"></p>` : null}
${branding(view)}
</section>
${watched ? dataFor('page', data) : null}
${returns ? dataFor('page', returningData(say)) : null}
</main>`
  return {
    title: heading,
    script: authentication ? 'authenticate.js' : step?.collects ? 'answer.js' : watched ? 'watch.js' : returns ? 'return.js' : null,
    main,
    images: step?.image === undefined ? [] : [step.image],
    asksBank: authentication !== null || (step?.collects !== undefined && 'frame' in step.collects),
  }
}

function facts({ payment, say, seller, localization, config }: View): Html {
  const { description } = payment.request
  return factList([
    ...(config.show_merchant_name === false ? [] : [[say('merchant'), seller] as [string, string]]),
    ...(description === undefined ? [] : [[say('order'), description] as [string, string]]),
    [say('total'), price(payment.net_amount, payment.currency, localization.locale)],
    [say('reference'), payment.payment_id],
  ])
}

const brand = ({ config, seller }: View): Html => brandOf(config.logo, seller, config.show_merchant_name !== false)

const branding = ({ merchant, payment, say }: View): Html | null =>
  businessLinkConfig(merchant, payment.profile_id).branding_visibility
    ? html`<p class="small">${say('poweredBy', { name: 'Switchyard' })}</p>`
    : null

/** Returns the summary of the order: the merchant and the amounts. */
function summary(view: View): Html | null {
  const { payment, config, say, localization } = view
  if (config.display_sdk_only) return null
  const { request, currency } = payment
  const money = (amount: number) => price(amount, currency, localization.locale)
  const added: [string, number][] = (
    [
      [say('shipping'), request.shipping_cost],
      [say('tax'), request.order_tax_amount],
      [
        say('surcharge'),
        request.surcharge_details && request.surcharge_details.surcharge_amount + (request.surcharge_details.tax_amount ?? 0),
      ],
    ] as [string, number | undefined][]
  ).filter((line): line is [string, number] => line[1] !== undefined && line[1] !== 0)
  const whole = added.length > 0 ? [{ product_name: say('order'), quantity: 1, amount: payment.amount }] : []
  const lines = request.order_details?.length ? request.order_details : whole
  const details = [...(config.transaction_details ?? [])].sort(
    (a, b) => (a.ui_configuration?.position ?? 0) - (b.ui_configuration?.position ?? 0),
  )
  const weight = (text: string, bold: boolean | undefined) => (bold ? html`<strong>${text}</strong>` : text)
  return html`<section class="summary" aria-label="${say('order')}">
${brand(view)}
${request.description === undefined ? null : html`<p class="what">${request.description}</p>`}
${setsUp(view) && payment.net_amount === 0 ? null : html`<p class="amount">${money(payment.net_amount)}</p>`}
${
  lines.length === 0
    ? null
    : html`<ul class="lines">${lines.map(
        ({ product_name, quantity, amount }) =>
          html`<li><span>${product_name}${quantity === 1 ? null : html` <span class="count">× ${quantity}</span>`}</span><span>${money(amount * quantity)}</span></li>`,
      )}${added.map(([name, amount]) => html`<li><span>${name}</span><span>${money(amount)}</span></li>`)}</ul>`
}
${
  details.length === 0
    ? null
    : html`<dl class="facts">${details.map(
        ({ key, value, ui_configuration }) =>
          html`<div><dt>${weight(key, ui_configuration?.is_key_bold)}</dt><dd>${weight(value, ui_configuration?.is_value_bold)}</dd></div>`,
      )}</dl>`
}
</section>`
}
