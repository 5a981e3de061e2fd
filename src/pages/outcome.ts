import type { Merchant } from '../accounts/merchant.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import type { Refusal } from '../base/refusal.ts'
import { onwardOf, postedForm } from '../connectors/next-action.ts'
import { type CustomerState, statuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { html } from './html.ts'
import { price } from './money.ts'
import { paymentStates } from './page-texts.ts'
import { type CustomerPage, plainPage } from './plain.ts'

/** Pages for a customer's browser that cannot be sent on to the shop. */

/** The words for these two states, which differ from those of payment link pages. */
const own: { [H in CustomerState]?: { heading?: string; message?: string; closes?: string } } = {
  waiting: { closes: 'If you have just done that, you can close this page.' },
  expired: { heading: 'Payment expired', message: 'The time to pay has expired.' },
}

/** For a customer without a return_url. The amount is for visitors by a link that cannot be guessed. */
export function outcomePage(merchant: Merchant, payment: Payment, shows: 'amount' | 'no amount', framed = false): CustomerPage {
  const state = statuses[payment.status].customerState
  const { heading, message, closes }: (typeof own)[CustomerState] & object = { ...paymentStates('en')[state], ...own[state] }
  const facts: [string, string][] = [['Merchant', merchantDisplayName(merchant)]]
  if (shows === 'amount') facts.push(['Amount', price(payment.amount, payment.currency, 'en', 'code')])
  facts.push(['Reference', payment.payment_id])
  // A next action with a form is posted, so it cannot be shown as a link.
  const onward = postedForm(payment.next_action) ? null : onwardOf(payment.next_action)
  const content = html`<p role="status">${message}</p>
<dl>
${facts.map(
  ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
)}</dl>${onward ? html`<p><a href="${onward}">Continue to your bank</a></p>` : null}`
  return plainPage({ heading, content, ...(closes !== undefined && { closes }), framed })
}

export const refusalPage = ({ entry: { status } }: Refusal): CustomerPage =>
  status >= 500
    ? plainPage({
        heading: 'Please wait a moment',
        content: html`<p role="status">We cannot show the status of your payment right now. You do not need to pay again: reload this page in a moment, or contact the merchant.</p>`,
      })
    : plainPage({
        heading: 'This link is not valid',
        content: html`<p role="status">There is nothing to pay or to receive here. If you expected something else, contact the sender of the link.</p>`,
      })
