import { businessPayoutLink } from '../accounts/payout-link-config.ts'
import { between } from '../base/time.ts'
import { type CollectLink, collected } from '../payment-methods/collect-link.ts'
import { html } from './html.ts'
import { type CollectState, collectStates, scriptTexts } from './page-texts.ts'
import { RETURNS_WITHIN_MS, returningData } from './pieces.ts'
import type { CustomerPage } from './plain.ts'
import { addressWith, endedPage, openForm, type RecipientView, recipientPage, recipientView } from './recipient-page.ts'
import type { Visit } from './visit.ts'

/**
 * The form in which a customer enters a payment method to save, or the link's state: the page of `payout-link.ts`
 * without an amount, with its script (`browser/payout.js`).
 */

/** The relative address of the service, from the page's address. */
const ROOT = '../../../'

/** The link's own looks take precedence over those of the profile's payout links. */
export function collectPage(visit: Visit, link: CollectLink): CustomerPage {
  const config = { ...businessPayoutLink(visit.merchant, link.profile_id), ...link.request }
  const view = recipientView(visit, config)
  const is = link.status === 'submitted' ? 'submitted' : link.expires_on <= visit.now ? 'expired' : 'open'
  return recipientPage(view, ROOT, is !== 'open', config.allowed_domains ?? [], is === 'open' ? open(view, link) : ended(view, link, is))
}

function open(view: RecipientView, link: CollectLink) {
  const { merchant, say, name, now, localization } = view
  return openForm(view, {
    title: say('collectedBy', { merchant: name }),
    summary: { label: name, content: html`<p class="what">${say('collectSays', { merchant: name })}</p>` },
    noWay: say('noCollecting', { merchant: name }),
    terms: html`<p class="terms">${say('collectTerms', { merchant: name })}</p>`,
    button: say('saveDetails'),
    ways: collected(merchant, link),
    expires_in_ms: between(now, link.expires_on),
    data: {
      root: ROOT,
      submits: `payment_methods/collect/${link.merchant_id}/${link.pm_collect_link_id}`,
      client_secret: link.client_secret,
      words: scriptTexts('collectForm', localization.language),
      there: null,
    },
  })
}

/** Shows the link's state; takes a customer who has just submitted the form back to the return_url. */
function ended(view: RecipientView, { pm_collect_link_id, submitted_at, request: { return_url } }: CollectLink, is: CollectState) {
  const { now, say, name, localization } = view
  const returns = return_url !== undefined && submitted_at !== null && between(submitted_at, now) < RETURNS_WITHIN_MS
  return endedPage(view, {
    is,
    tone: is === 'submitted' ? 'good' : 'open',
    ...collectStates(localization.language)[is],
    facts: [...(is === 'submitted' ? [[say('savedFor'), name] as const] : []), [say('reference'), pm_collect_link_id]],
    back: return_url && addressWith(return_url, { pm_collect_link_id, status: is }),
    runs: returns ? { script: 'return.js', data: returningData(say) } : null,
  })
}
