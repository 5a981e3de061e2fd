import { createHash } from 'node:crypto'
import type { Merchant } from '../accounts/merchant.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { type Currency, currencies } from '../base/currencies.ts'
import type { Refusal } from '../base/refusal.ts'
import { onwardOf, postedForm } from '../connectors/next-action.ts'
import { escapeHtml } from '../pages/html.ts'
import { type CustomerHears, statuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'

/**
 * What a customer's browser is shown where it cannot be sent on to the shop. Everybody else hears the catalogue's
 * JSON.
 */

type Headers = Record<string, string | string[] | undefined>

/** A browser asks for a page, and not for JSON before that. */
export const wantsPage = (headers: Headers): boolean => /^(?:(?!json).)*text\/html/i.test(String(headers.accept ?? ''))

/** Is it a browser on one of the links of a challenge, be the link whole or not, or at the page of a link? */
export const isForCustomer = ({ url, headers }: { url: string; headers: Headers }): boolean =>
  wantsPage(headers) &&
  /^\/payments\/(?:[^/]+\/[^/]+\/)?(?:redirect|authorize|waiting)(?:\/|$)|^\/(?:(?:payment|payout)_link|payment_methods\/collect)\//.test(
    url,
  )

type Words = { heading: string; says: string; closes?: string }

/**
 * An outcome never says more of the money than the status does: what failed may still have to be given back. Which
 * status says which: `payments/lifecycle.ts`.
 */
const outcomes: Record<CustomerHears, Words> = {
  'not begun': { heading: 'Nothing paid yet', says: 'This payment has not been made. Go back to the merchant to pay.' },
  'under way': {
    heading: 'Payment in progress',
    says: 'The result is not known yet. There is no need to pay again: the merchant will hear of it.',
  },
  waiting: {
    heading: 'Confirmation needed',
    says: 'Your bank is still waiting for you to confirm this payment.',
    closes: 'If you have just done that, you may close this page.',
  },
  approved: { heading: 'Payment approved', says: 'Your bank has approved this payment. The merchant takes the money later.' },
  made: { heading: 'Payment complete', says: 'Your payment was successful.' },
  failed: {
    heading: 'Payment not completed',
    says: 'This payment was not completed. The merchant can tell you what to do next.',
  },
  cancelled: { heading: 'Payment cancelled', says: 'This payment was cancelled.' },
  expired: { heading: 'Payment expired', says: 'The time for this payment is over.' },
  'looked into': {
    heading: 'Payment being checked',
    says: 'The merchant is looking into this payment. Please do not pay again before you have heard from them.',
  },
}

/**
 * How a payment ended, for a customer whom no return_url takes back. The amount only for whoever came by a link that
 * cannot be guessed.
 */
export function outcomePage(merchant: Merchant, payment: Payment, shows: 'amount' | 'no amount'): string {
  const { heading, says, closes } = outcomes[statuses[payment.status].customer]
  const facts: [string, string][] = [['Merchant', merchantDisplayName(merchant)]]
  if (shows === 'amount') facts.push(['Amount', price(payment.amount, payment.currency as Currency)])
  facts.push(['Reference', payment.payment_id])
  const rows = facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('\n')
  // What is posted there is no link.
  const onward = postedForm(payment.next_action) ? null : onwardOf(payment.next_action)
  const bank = onward === null ? '' : `<p><a href="${escapeHtml(onward)}">Go on to your bank</a></p>`
  return frame(heading, `<p role="status">${says}</p>\n<dl>\n${rows}\n</dl>${bank}`, closes)
}

/** A refusal in a customer's words. */
export function refusalPage({ entry: { status } }: Refusal): string {
  if (status >= 500)
    return frame(
      'Please wait a moment',
      '<p role="status">We cannot tell how your payment stands right now. There is no need to pay again: load this page again in a moment, or ask the merchant.</p>',
    )
  return frame(
    'This link leads nowhere',
    '<p role="status">Nothing is waiting for you here. If you were about to pay or to be paid, ask whoever sent you the link.</p>',
  )
}

function price(amount: number, currency: Currency): string {
  const decimals = currencies[currency]
  const digits = String(amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${currency}\u00a0${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`
}

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f5f8; color: #1a2230 }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 2rem 1.5rem }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
dl { margin: 1.5rem 0; border-top: 1px solid #cbd3df }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.25rem; padding: .625rem 0; border-bottom: 1px solid #cbd3df }
dt { color: #566276 }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
div:last-child > dd { font-size: .8125rem; font-weight: 400; line-height: 1.9 }
a { color: #1457d9 }
footer { color: #566276 }
@media (prefers-color-scheme: dark) {
  body { background: #10151e; color: #e7ecf4 }
  dl, dl div { border-color: #354154 }
  dt, footer { color: #a6b2c6 }
  a { color: #8ab4ff }
}`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const headersWith = (policy: string, ancestors = "'none'") => ({
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; ${policy}frame-ancestors ${ancestors}`,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
})

const submit = 'document.forms[0].submit()'
/**
 * In an iframe the checkout hears where to go on, as checkouts of the ecosystem do, if it is of one of the origins that
 * are named; in a window of its own the page goes there.
 */
const goOn = `const on = document.getElementById('on')
if (parent === window) location.replace(on.href)
else for (const origin of JSON.parse(on.dataset.to)) parent.postMessage(JSON.parse(on.dataset.says), origin)`
const formAnd = `script-src ${hashOf(submit)}; `

/**
 * The headers of each kind of page. Nothing runs on one that is `still`, and nothing is fetched for any. A `form` is
 * sent at once, by the one line that runs; where it may lead is not limited: browsers hold its redirects to that too.
 * What is `framed` may stand in an iframe of whichever checkout shows the challenge: whoever knows its address could
 * have followed it.
 */
export const pageHeaders = {
  still: headersWith("form-action 'none'; "),
  form: headersWith(formAnd),
  framed: headersWith(`form-action 'none'; script-src ${hashOf(goOn)}; `, '*'),
  'framed form': headersWith(formAnd, '*'),
}
export type PageKind = keyof typeof pageHeaders

/**
 * Takes the customer to an address by a form that holds these fields. `target`: of the window that they are in, or of
 * the one around all frames.
 */
export function formPage(
  address: string,
  fields: Iterable<[name: string, value: string]>,
  target: '_self' | '_top',
  [heading, button] = ['Going back to the shop', 'Go on to the shop'],
): string {
  const inputs = [...fields].map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  const form = `<form method="post" action="${escapeHtml(address)}"${target === '_top' ? ' target="_top"' : ''}>\n${inputs.join('\n')}\n<button>${button}</button>\n</form>`
  return frame(heading!, `${form}\n<script>${submit}</script>`, '')
}

/**
 * Tells the checkout in whose iframe it stands, if it is of one of these origins, where the customer goes on; the link
 * is for those that do not listen.
 */
export const onwardPage = (address: string, origins: readonly string[]): string =>
  tellingPage('Going back to the shop', address, origins, { openurl_if_required: address })

/** The same where it is not known yet how it went: the checkout is told to ask again, and how often. */
export const pollPage = (
  address: string,
  poll: { poll_id: string; delay_in_secs: string; frequency: string },
  origins: readonly string[],
): string => tellingPage('One moment', address, origins, { poll_status: { ...poll, return_url_with_query_params: address } })

function tellingPage(heading: string, address: string, origins: readonly string[], says: object): string {
  const said = (value: unknown) => escapeHtml(JSON.stringify(value))
  const link = `<p><a id="on" href="${escapeHtml(address)}" data-says="${said(says)}" data-to="${said(origins)}" target="_top">Go on to the shop</a></p>`
  return frame(heading, `${link}\n<script>${goOn}</script>`, '')
}

const frame = (heading: string, content: string, closes = 'You may close this page.'): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${content}
<footer>${closes}</footer>
</main>
</body>
</html>
`
