import type { Merchant } from '../accounts/merchant.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import type { Refusal } from '../base/refusal.ts'
import { onwardOf, postedForm } from '../connectors/next-action.ts'
import { type CustomerHears, statuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { html } from './html.ts'
import { price } from './money.ts'
import { type CustomerPage, plainPage } from './plain.ts'

/** What a customer's browser is shown where it cannot be sent on to the shop. */

type Words = { heading: string; says: string; closes?: string }

/**
 * An outcome never says more of the money than the status does: what failed may still have to be given back. Which
 * status says which: `payments/lifecycle.ts`.
 */
const outcomes: Record<CustomerHears, Words> = {
  'not begun': { heading: 'Nothing paid yet', says: 'This payment has not been made. Go back to the merchant to pay.' },
  'under way': {
    heading: 'Payment in progress',
    says: 'The result is not known yet. You do not need to pay again: the merchant will be informed.',
  },
  waiting: {
    heading: 'Confirmation needed',
    says: 'Your bank is still waiting for you to confirm this payment.',
    closes: 'If you have just done that, you can close this page.',
  },
  approved: { heading: 'Payment approved', says: 'Your bank has approved this payment. The merchant will collect the money later.' },
  made: { heading: 'Payment complete', says: 'Your payment was successful.' },
  failed: {
    heading: 'Payment not completed',
    says: 'This payment was not completed. The merchant can tell you what to do next.',
  },
  cancelled: { heading: 'Payment cancelled', says: 'This payment was cancelled.' },
  expired: { heading: 'Payment expired', says: 'The time to pay has expired.' },
  'looked into': {
    heading: 'Payment being checked',
    says: 'The merchant is looking into this payment. Please do not pay again until you hear from them.',
  },
}

/**
 * How a payment ended, for a customer whom no return_url takes back. The amount only for whoever came by a link that
 * cannot be guessed.
 */
export function outcomePage(merchant: Merchant, payment: Payment, shows: 'amount' | 'no amount', framed = false): CustomerPage {
  const { heading, says, closes } = outcomes[statuses[payment.status].customer]
  const facts: [string, string][] = [['Merchant', merchantDisplayName(merchant)]]
  if (shows === 'amount') facts.push(['Amount', price(payment.amount, payment.currency, 'en', 'code')])
  facts.push(['Reference', payment.payment_id])
  // What is posted there is no link.
  const onward = postedForm(payment.next_action) ? null : onwardOf(payment.next_action)
  const content = html`<p role="status">${says}</p>
<dl>
${facts.map(
  ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
)}</dl>${onward ? html`<p><a href="${onward}">Continue to your bank</a></p>` : null}`
  return plainPage({ heading, content, ...(closes !== undefined && { closes }), framed })
}

/** A refusal in a customer's words. */
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
