import Type from 'typebox'
import { orNull, strictObject, textOrNull } from '../../base/shapes.ts'
import { hitKinds } from '../../search/hit.ts'
import { search } from '../../search/search.ts'
import { listSchema, minor, schema, sized, text, time } from '../answer-shapes.ts'
import { has } from '../credentials.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { roleHoldsFor } from '../profile-header.ts'

const MOST = 50
const hit = schema('SearchHit', {
  kind: Type.Enum([...hitKinds]),
  id: text,
  label: orNull(text, 'Order reference, description, or the payment it belongs to'),
  status: textOrNull,
  amount: orNull(minor),
  currency: textOrNull,
  created: time,
  matched: Type.String({ description: 'What the search text matches, for example payment_id, email or last4' }),
})

export const searchRoutes = tagged(
  'Search',
  'Search across payments, refunds, payouts, disputes, customers, connector accounts, events and API requests of the merchant.',
  { confidential: 'personal data', sdk: ['search', 'Search'] },
  [
    endpoint('GET /search', 'searchObjects', {
      sdk: 'search.find',
      title: 'Search all objects',
      description:
        'Finds objects by an id of any kind, a processor’s reference, a merchant_order_reference_id, an email address, a request id, or the last four digits of a card with a day (`4242 2026-03-01`) or an amount (`4242 12.50`). Matches are exact; matching ids come first, then the newest.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: strictObject({
        q: Type.String({ minLength: 1, maxLength: 255, description: 'What to search for' }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: '20 by default' })),
      }),
      answers: listSchema('SearchHits', hit),
      json: async ({ context, merchant, who, query: { q, limit = 20 } }) => {
        return sized(await search(context, merchant, q, limit, has(who, 'logs:read'), roleHoldsFor(who)))
      },
    }),
  ],
)
