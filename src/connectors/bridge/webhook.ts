import type { Account, Conversation, Registered, WebhookUpdate } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedWish, parseReply, readerOf } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { bearerOf, jsonRequest } from '../kit/request.ts'
import { signedIn } from '../kit/signature.ts'
import { readRefused } from './api.ts'
import { outcomeOf } from './outcomes.ts'
import { bridgeVerbs, isRegistration, readNotification } from './protocol.ts'

export const verifyWebhook = signedIn('bridge-signature')

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const operation = readNotification(readJson(raw.toString()))
  if (operation === null) return []
  const outcome = outcomeOf(operation, bridgeVerbs[operation.type])
  return outcome.is === 'unknown' ? [] : [{ is: 'outcome', of: [{ request_id: operation.request_id }], outcome }]
}

export function* register(url: string, account: Account): Conversation<Registered> {
  const key = credentialOf(account)
  const secret = account.webhook_secret!
  const request = jsonRequest('PUT', `${account.base_url}/v1/news`, bearerOf(key), { url, secret: secret.reveal() })
  const read = readerOf(body => (isRegistration(body, url) ? true : null), readRefused)
  const reply = parseReply(yield request, [key, secret], read)
  return reply.is === 'answer' ? { is: 'done', id: null } : failedWish(reply)
}
