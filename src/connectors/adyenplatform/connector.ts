import { DAY_MS } from '../../base/time.ts'
import { counting } from '../adyen/requests.ts'
import type { Account, Connector, Conversation, CredentialsVerdict } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { failedVerdict, parseReply } from '../kit/parse-reply.ts'
import { accountQuestion, callOffTransfer, payout, syncTransfer } from './payout.ts'
import { listedReply } from './replies.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const reply = parseReply(yield accountQuestion(account), credentialsOf(account), listedReply)
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

/**
 * Adyen's Transfers API, v4: payouts to bank accounts, out of a balance account of the merchant's balance platform.
 * Its API keys and webhooks differ from those of payments at Adyen, so it is a connector of its own.
 */
export const adyenplatform = {
  name: 'adyenplatform',
  sources: {
    documented: 'Adyen’s API reference; Adyen’s client library works against the same sandbox dialect',
    guessed:
      'That keys are kept for seven days, that statuses which Adyen does not explain for bank transfers say nothing (the payout stays unknown), and that its list of transfers shows within a day what was made: a payout that it does not show is then taken for one that never arrived',
  },
  baseUrl: {
    test: 'https://balanceplatform-api-test.adyen.com/btl/v4',
    live: 'https://balanceplatform-api-live.adyen.com/btl/v4',
  },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  settings: {
    source_balance_account: {
      pattern: /^[A-Za-z0-9]{1,64}$/,
      description: 'the ID of the balance account that payouts are made from (BA…)',
      required: true,
    },
  },
  accepts: {
    methods: [],
    capture: [],
    recipients: ['bank'],
    idempotent_ms: { payout: 7 * DAY_MS, cancel_payout: 7 * DAY_MS },
    lookup: 'by request id',
    in_flight_ms: 80_000,
    counting,
  },
  payout,
  cancel_payout: callOffTransfer,
  sync: syncTransfer,
  verify: verifyAccount,
  webhook: { largest: 262_144, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector
