import type { Account, WebhookUpdate } from '../connector.ts'
import { isId } from '../kit/read.ts'
import { isHexHmac } from '../kit/signature.ts'
import { readCallback } from './replies.ts'

/**
 * Verifies a webhook. It is signed with the account's own secret (`key1`): the values of all parameters except `sign`,
 * in the order of their names, joined by `|`.
 */
export function verifyWebhook(raw: Buffer, _headers: object, { credentials }: Account): boolean {
  const { sign, ...parameters } = readCallback(raw) ?? {}
  const signed = Object.keys(parameters)
    .sort()
    .map(name => parameters[name])
    .join('|')
  return credentials.key1 !== undefined && isHexHmac(credentials.key1.reveal(), signed, sign)
}

/** Reads a webhook. It contains no time, so it may be outdated: it is never trusted, and only triggers a lookup. */
export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const order = readCallback(raw)?.orderId
  return isId(order) ? [{ is: 'outcome', of: [{ request_id: order }], outcome: 'ask' }] : []
}
