import type { Account, WebhookUpdate } from '../connector.ts'
import { readJson } from '../kit/read.ts'
import { isSecret } from '../kit/signature.ts'
import { readNamed } from './replies.ts'

/** Verifies a webhook: its header contains the shared secret itself. */
export function verifyWebhook(_raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  return isSecret(webhook_secret, headers['x-webhook-signature'])
}

/**
 * Reads a webhook. Any reader of one webhook knows the secret; therefore webhooks are never trusted, and only trigger
 * a lookup.
 */
export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ is: 'outcome', of: [{ request_id: named }], outcome: 'ask' }]
}
