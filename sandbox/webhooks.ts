// Webhooks to the merchant: signed, sent at least once, and faulty in the ways that a test orders.

import { Agent, request } from 'undici'
import type { Account, Event } from './books.ts'
import { webhookFormats } from './dialects/webhook-formats.ts'
import { needDispute, showDispute } from './disputes.ts'
import type { Change, Operation, Settings, WebhookFate } from './records.ts'
import { announced } from './show-operation.ts'
import { signature } from './signature.ts'

/**
 * The pauses before retries, in milliseconds. They last as long as processors' own, so that a receiver that was down
 * for an hour still receives the webhook.
 */
const pausesAfterFailure = [1000, 5000, 30_000, 300_000, 3_600_000, 12 * 3_600_000, 24 * 3_600_000]

/** `lose`: none arrives, though the events exist. `fail`: every attempt fails, as if the receiver was down. */
type WebhookMode = NonNullable<Settings['webhooks']>
export const webhookModes: readonly WebhookMode[] = ['send', 'hold', 'off', 'duplicate', 'lose', 'fail']

/** `fate`: of this webhook; the account's settings then do not matter. A lost one needs no URL. */
export function webhookMode(settings: Settings, fate?: WebhookFate): WebhookMode {
  if (settings.webhook_url === null) return fate === 'lose' ? 'lose' : 'off'
  return fate ?? settings.webhooks ?? 'send'
}

type OutgoingWebhook = { url: string; headers: Record<string, string>; body: string }
export type WebhookSender = { post(webhook: OutgoingWebhook): Promise<'taken' | 'refused'>; close(): Promise<void> }

export function openWebhookSender(): WebhookSender {
  const agent = new Agent({ connect: { timeout: 5000 }, headersTimeout: 10_000, bodyTimeout: 10_000 })
  return {
    async post({ url, headers, body }) {
      try {
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
        await answer.body.dump()
        return answer.statusCode >= 200 && answer.statusCode < 300 ? 'taken' : 'refused'
      } catch {
        return 'refused'
      }
    },
    close: () => agent.destroy(),
  }
}

/** The part of the desk that deliveries need. The desk imports this file. */
type DeliveryDesk = {
  readonly url: string
  readonly webhookSender: WebhookSender
  synced(): Promise<void>
  keeps(account: Account): boolean
  now(account: Account): number
  write(change: Change): void
}

/** Sends an event once, or three times at once if the account is set to duplicates. */
export async function deliver(desk: DeliveryDesk, account: Account, event: Event): Promise<void> {
  await desk.synced()
  const { webhook_url } = account.settings
  const mode = webhookMode(account.settings)
  const webhook = webhook_url === null ? null : write(desk, account, event, webhook_url)
  const copies = webhook === null || mode === 'off' ? 0 : mode === 'duplicate' ? 3 : 1
  const attempt = () => (mode === 'fail' ? 'refused' : desk.webhookSender.post(webhook!))
  const answers = await Promise.all(Array.from({ length: copies }, attempt))
  if (!desk.keeps(account)) return

  const delivered = answers.includes('taken')
  const pause = delivered || copies === 0 ? undefined : pausesAfterFailure[event.rounds]
  desk.write({
    account: account.name,
    delivery: {
      event: event.id,
      rounds: event.rounds + 1,
      attempts: event.attempts + copies,
      delivered,
      next_at: pause === undefined ? null : desk.now(account) + pause,
    },
  })
}

/** Sends the held webhooks now. Returns their number. */
export function release(desk: DeliveryDesk, account: Account): number {
  const held = [...account.events.values()].filter(event => event.held)
  for (const event of held) {
    desk.write({
      account: account.name,
      delivery: { event: event.id, rounds: 0, attempts: 0, delivered: false, next_at: desk.now(account) },
    })
  }
  return held.length
}

/** Returns the events of an operation besides its own, of which its dialect tells. `payment`: as it will be. */
export function furtherEvents(
  account: Account,
  operation: Operation,
  payment = account.payments.get(operation.payment),
): { type: string }[] {
  const also = payment && webhookFormats[payment.dialect ?? '']?.also?.(operation, payment)
  return (also ?? []).map(type => ({ type }))
}

/** Builds the webhook of an event; null if its dialect does not announce the event. */
function write(desk: DeliveryDesk, account: Account, event: Event, url: string): OutgoingWebhook | null {
  const { signed, ...format } = webhookFormats[account.payments.get(event.operation.payment)?.dialect ?? ''] ?? own
  const content = format.body(account, event, desk.url)
  if (content === null) return null
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  const type = typeof content === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  const secret = account.settings.webhook_secret
  const headers = secret === null ? {} : signed(body, secret, Math.floor(desk.now(account) / 1000))
  return { url: format.address?.(account, event) ?? url, headers: { 'content-type': type, ...headers }, body }
}

const own: (typeof webhookFormats)[string] = {
  body: (account, { id, created_at, operation, type, document }, url) => ({
    id,
    ...(document !== undefined && { type, created_at, dispute: showDispute(account, needDispute(account, document)) }),
    ...(document === undefined && {
      type: 'operation.updated',
      created_at,
      ...announced(operation, account.payments.get(operation.payment)!, url),
    }),
  }),
  signed: (body, secret, t) => ({
    'x-sandbox-signature': signature(body, secret, t),
  }),
}
