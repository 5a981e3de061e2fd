import { checkLinkToken } from '../../accounts/link-token.ts'
import { refuse } from '../../base/refusal.ts'
import { payoutPage } from '../../pages/payout-link.ts'
import { hasLink } from '../../payouts/link.ts'
import { needPayout } from '../../payouts/payout.ts'
import { anyone } from '../auth.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { linkPageQuery, visitOf } from './payment-links.ts'

export const payoutLinkRoutes = tagged(
  'Payout links',
  'A payout created with `payout_link: true` has its own page: send the recipient the URL in `payout_link.link`. There the recipient enters a payout method (a card, a bank account, a wallet, a bank redirect) and confirms the payout. With `auto_fulfill` it is then paid out; otherwise it waits for your `fulfill`. The available methods and the page’s appearance are set in `payout_link_config`, of the payout or of its business profile.',
  { confidential: 'personal data', sdk: ['payoutLinks', 'Payout link'] },
  [
    endpoint('GET /payout_link/{merchant_id}/{payout_id}', 'showPayoutLink', {
      title: 'Open a payout link',
      description:
        'Returns the page where a payout’s recipient enters their payout method and follows the payout. It expires with the payout’s session (`session_expiry`, 15 minutes by default).',
      auth: anyone,
      query: linkPageQuery,
      answers: 'page',
      async run(call) {
        const { service, context, path, query } = call
        const merchant = (await service.settings.merchant(path.merchant_id)) ?? refuse('not_found', { what: 'payout link' })
        const payout = await needPayout(context, merchant.merchant_id, path.payout_id)
        if (!hasLink(payout)) refuse('not_found', { what: 'payout link' })
        checkLinkToken({ ...payout, id: payout.payout_id }, query.token, 'payout link')
        return payoutPage(visitOf(call, merchant), payout)
      },
    }),
  ],
)
