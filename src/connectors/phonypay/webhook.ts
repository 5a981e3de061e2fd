import type { Account, Conversation, Registered, WebhookUpdate } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedWish, parseReply, readerOf } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { baseOf, bearerOf, jsonRequest } from '../kit/request.ts'
import { signedIn } from '../kit/signature.ts'
import { withoutCapturable } from '../outcome.ts'
import { readDisputeUpdates } from './disputes.ts'
import { outcomeOf } from './outcomes.ts'
import { phonypayVerbs, readAnnouncement, readEndpoint, readRefused } from './replies.ts'

export const verifyWebhook = signedIn('x-sandbox-signature')

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  const operation = readAnnouncement(body)
  if (operation === null) return readDisputeUpdates(body)
  const outcome = outcomeOf(operation, phonypayVerbs[operation.type])
  return outcome.is === 'unknown' ? [] : [{ is: 'outcome', of: [{ request_id: operation.reference }], outcome: withoutCapturable(outcome) }]
}

const endpointReply = readerOf(readEndpoint, readRefused)

export function* register(url: string, account: Account): Conversation<Registered> {
  const key = credentialOf(account)
  const secret = account.webhook_secret!
  const request = jsonRequest('PUT', `${baseOf(account)}/v1/webhook_endpoint`, bearerOf(key), { url, secret: secret.reveal() })
  const reply = parseReply(yield request, [key, secret], endpointReply)
  if (reply.is !== 'answer') return failedWish(reply)
  return reply.answer === url ? { is: 'done', id: null } : { is: 'unknown', why: 'the response is for another endpoint' }
}
