import { businessPayoutLink } from '../accounts/payout-link-config.ts'
import { between } from '../base/time.ts'
import { allowedStatuses, type RecipientState, statuses } from '../payouts/lifecycle.ts'
import { linkConfigOf, waysOf } from '../payouts/link.ts'
import type { Payout } from '../payouts/payout.ts'
import { knownRecipient, maskedRecipient } from '../show/payout-recipient.ts'
import { html } from './html.ts'
import { price } from './money.ts'
import { payoutStates, scriptTexts } from './page-texts.ts'
import type { CustomerPage } from './plain.ts'
import { addressWith, endedPage, openForm, type RecipientView, recipientPage, recipientView } from './recipient-page.ts'
import type { Visit } from './visit.ts'

/** The amount, and the form for a payout method, or the payout's state. One call: `browser/payout.js`. */

/** The relative address of the service, from the page's address. */
const ROOT = '../../'

/** Before the payout is confirmed, until the session is over. */
const standing = (payout: Payout, now: Visit['now']): 'open' | RecipientState =>
  (allowedStatuses.confirm as readonly string[]).includes(payout.status)
    ? payout.expires_on <= now
      ? 'expired'
      : 'open'
    : statuses[payout.status].recipient

export function payoutPage(visit: Visit, payout: Payout): CustomerPage {
  const { merchant, now } = visit
  const { allowed_domains = [] } = businessPayoutLink(merchant, payout.profile_id)
  const view = recipientView(visit, linkConfigOf(merchant, payout))
  const is = standing(payout, now)
  return recipientPage(view, ROOT, is !== 'open', allowed_domains, is === 'open' ? open(view, payout) : ended(view, payout, is))
}

const amountOf = ({ localization }: RecipientView, { amount, currency }: Payout): string => price(amount, currency, localization.locale)

function open(view: RecipientView, payout: Payout) {
  const { merchant, say, name, now, localization } = view
  const { description } = payout.request
  const amount = amountOf(view, payout)
  return openForm(view, {
    title: say('paidBy', { merchant: name }),
    summary: {
      label: say('yourPayout'),
      content: html`${description === undefined ? null : html`<p class="what">${description}</p>`}
<p class="amount">${amount}</p>`,
    },
    noWay: say('noWay'),
    terms: null,
    button: say('receive', { amount }),
    ways: waysOf(merchant, payout),
    expires_in_ms: between(now, payout.expires_on),
    data: {
      root: ROOT,
      submits: `payouts/${payout.payout_id}/confirm`,
      client_secret: payout.client_secret,
      words: scriptTexts('payoutForm', localization.language),
      /** The masked recipient that is used if the recipient enters no other. */
      there: knownRecipient(payout),
    },
  })
}

function ended(view: RecipientView, payout: Payout, is: RecipientState) {
  const { say, name, localization } = view
  const { payout_id, status } = payout
  const { return_url, description } = payout.request
  const to = maskedRecipient(payout)
  return endedPage(view, {
    is,
    tone: recipientTones[is],
    ...payoutStates(localization.language)[is],
    facts: [
      [say('sender'), name],
      ...(description === undefined ? [] : [[say('purpose'), description] as const]),
      [say('amount'), amountOf(view, payout)],
      ...(to === null || is === 'expired' ? [] : [[say('paidTo'), to] as const]),
      [say('reference'), payout_id],
    ],
    back: return_url && addressWith(return_url, { payout_id, status }),
    runs: is === 'on its way' ? { script: 'watch-payout.js', data: { stands: is } } : null,
  })
}

export const recipientTones: Record<RecipientState, 'good' | 'bad' | 'open'> = {
  'not begun': 'open',
  confirmed: 'good',
  'on its way': 'open',
  paid: 'good',
  failed: 'bad',
  returned: 'bad',
  cancelled: 'bad',
  expired: 'open',
}
