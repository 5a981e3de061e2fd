import { createHash } from 'node:crypto'
import { XmlElement } from '@rgrove/parse-xml'
import { readXml } from '../../base/read-xml.ts'
import type { Account, Outcome, PaymentUpdate, WebhookUpdate } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import { isId } from '../kit/read.ts'
import { isHmac } from '../kit/signature.ts'
import { processorCodes } from './declines.ts'

/** A form with XML in Base64. There is no signed time, so webhooks may be outdated. */

const fieldsOf = (raw: Buffer) => {
  const form = new URLSearchParams(raw.toString())
  return { signature: form.get('bt_signature'), payload: form.get('bt_payload') }
}

/** Pairs of public key and hex HMAC-SHA1, keyed with the private key's SHA-1. The final line break may be lost. */
export function verifyWebhook(raw: Buffer, _headers: unknown, account: Account): boolean {
  const { signature, payload } = fieldsOf(raw)
  if (!signature || !payload || signature.length > 1024 || !/^[A-Za-z0-9+=/\n]+$/.test(payload)) return false
  const publicKey = credentialOf(account).reveal()
  const given = signature
    .split('&')
    .map(pair => pair.split('|'))
    .find(([key]) => key === publicKey)?.[1]
  if (!given || !/^[0-9a-f]{40}$/i.test(given)) return false
  const key = createHash('sha1').update(credentialOf(account, 'api_secret').reveal()).digest()
  const signed = Buffer.from(given, 'hex')
  return [payload, `${payload}\n`].some(data => isHmac(key, data, signed, 'sha1'))
}

const child = (element: XmlElement | null, name: string): XmlElement | null =>
  element?.children.find((one): one is XmlElement => one instanceof XmlElement && one.name === name) ?? null
const textIn = (element: XmlElement | null, name: string): string => child(element, name)?.text.trim() ?? ''

function notificationIn(payload: string | null): XmlElement | null {
  try {
    const root = readXml(Buffer.from(payload ?? '', 'base64').toString())
    return root?.name === 'notification' ? root : null
  } catch {
    return null
  }
}

/** Money that did not move after all: final, however old the webhook is. */
function failure(transaction: XmlElement | null, kind: string): Outcome {
  const [codes, texts] = [
    ['processor-settlement-response-code', 'processor-response-code'],
    ['processor-settlement-response-text', 'processor-response-text'],
  ].map(names => names.map(name => textIn(transaction, name)).find(text => text !== ''))
  const code = /^\d{4}$/.test(codes ?? '') ? codes! : kind
  return { ...declinedWith(processorCodes[code] ?? 'operation_declined', code, texts ?? 'It was declined.'), after_yes: true }
}

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const notification = notificationIn(fieldsOf(raw).payload)
  const kind = textIn(notification, 'kind')
  const subject = child(notification, 'subject')
  if (kind.startsWith('dispute_')) {
    const reference = textIn(child(subject, 'dispute'), 'id')
    return isId(reference) ? [{ is: 'dispute', dispute: 'ask', reference }] : []
  }
  if (!kind.startsWith('transaction_') && kind !== 'refund_failed') return []
  const transaction = child(subject, 'transaction')
  const request_id = textIn(transaction, 'order-id')
  if (!isId(request_id)) return []
  const isRefund = kind === 'refund_failed' || textIn(transaction, 'type') === 'credit'
  const failed = kind === 'refund_failed' || kind === 'transaction_settlement_declined'
  const outcome = failed ? failure(transaction, kind) : 'ask'
  if (!isRefund) return [{ is: 'outcome', of: [{ request_id, verb: 'authorize' }], outcome }]
  // A refund that others have made has the order id of its transaction.
  const otherwise: PaymentUpdate = { is: 'payment', of: [{ request_id, verb: 'authorize' }], report: 'ask' }
  return [{ is: 'outcome', of: [{ request_id, verb: 'refund' }], outcome, otherwise }]
}
