import type { Time } from '../../context.ts'
import { readNotification as readBridgeNews } from '../bridge/protocol.ts'
import * as bridge from '../bridge/webhook.ts'
import type { Account, Conversation, Registered, WebhookUpdate } from '../connector.ts'
import { readJson } from '../kit/read.ts'
import { adapterOf } from './api.ts'
import { readNamed } from './replies.ts'

/**
 * Verifies a webhook. An adapter signs its webhooks. 54Pay does not: its webhooks are never trusted, and only trigger
 * a lookup.
 */
export function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean {
  return readBridgeNews(readJson(raw.toString())) === null || bridge.verifyWebhook(raw, headers, account, now)
}

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const operation = readBridgeNews(readJson(raw.toString()))
  // An adapter only pays out: its other news is ignored.
  if (operation !== null) return operation.type === 'payout' ? bridge.readWebhook(raw) : []
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ is: 'outcome', of: [{ request_id: named }], outcome: 'ask' }]
}

export function* register(url: string, account: Account): Conversation<Registered> {
  const adapter = adapterOf(account)
  const message = '54Pay receives the callback URL with each payment.'
  return adapter ? yield* bridge.register(url, adapter) : { is: 'refused', code: 'not_supported', message }
}
