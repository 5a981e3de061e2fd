import Type from 'typebox'
import { dateTime, shortText, strictObject, withDescription } from '../../base/shapes.ts'
import { accountsOf, needAccount } from '../../settlement/account.ts'
import { fetchesOf, setFetching } from '../../settlement/fetching.ts'
import { listSchema, sized } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { profilesOf } from '../profile-header.ts'
import { fetchAnswer, fetching, showFetch } from './reconciliation-answers.ts'

const option = Type.Optional
const fetchShape = strictObject({
  merchant_connector_id: shortText,
  fetch: fetching,
  from: option(withDescription(dateTime, 'Reports that were made since then are fetched; default: of the last seven days')),
})

export const reconciliationFetches = [
  endpoint('GET /reconciliation/fetches', 'listSettlementFetches', {
    sdk: 'reconciliation.fetches',
    title: 'List fetched accounts',
    description: 'Lists connector accounts: whether their reports are fetched from the processor, when next, and what went wrong.',
    auth: { credential: 'secret', permission: 'ledger:read', scope: 'profile' },
    query: strictObject({}),
    answers: listSchema('SettlementFetches', fetchAnswer),
    json: async call => {
      const { context, merchant } = call
      const accounts = await accountsOf(context, merchant.merchant_id, profilesOf(call))
      const fetches = new Map((await fetchesOf(context, merchant.merchant_id, accounts)).map(one => [one.merchant_connector_id, one]))
      return sized(accounts.map(account => showFetch(account, fetches.get(account.merchant_connector_id))))
    },
  }),
  endpoint('POST /reconciliation/fetches', 'setSettlementFetch', {
    sdk: 'reconciliation.fetch',
    title: 'Fetch reports',
    description:
      'Has the reports of an account fetched from its processor: now and each day, each report once. Their files are read like uploads.',
    auth: { credential: 'secret', permission: 'ledger:write', scope: 'profile', ids: ['merchant_connector_id'] },
    async: true,
    body: fetchShape,
    answers: fetchAnswer,
    errors: ['not_found', 'precondition', 'busy'],
    example: { summary: 'Daily', value: { merchant_connector_id: 'mca_Yb3kT9QmW2xLcP7nVaHd', fetch: 'daily' } },
    json: async call => {
      const { merchant_connector_id, fetch, from } = call.body
      const account = await needAccount(call.context, call.merchant.merchant_id, merchant_connector_id, profilesOf(call))
      return showFetch(account, await setFetching(call.context, account, fetch, from))
    },
  }),
]
