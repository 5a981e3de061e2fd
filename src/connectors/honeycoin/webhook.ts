import type { Account, News } from '../connector.ts'
import { readJson } from '../kit/read.ts'
import { isSecret } from '../kit/signature.ts'
import { readNamed } from './replies.ts'

/** The header holds the shared secret itself. */
export function verifyWebhook(_raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  return isSecret(webhook_secret, headers['x-webhook-signature'])
}

/** A reader of one webhook has the secret: a webhook is never believed, the processor is always asked. */
export function readWebhook(raw: Buffer): News[] {
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ of: [{ request_id: named }], outcome: 'ask' }]
}
