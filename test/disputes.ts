import { deepEqual, equal } from 'node:assert/strict'
import { type Answer, type Body, openShop, type Shop } from './shop.ts'

/** Disputes as the shop sees them, and as the processor has them. */

/** The smallest files with the signature of their type. */
export const files = {
  pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n'),
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  jpeg: Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
}

export type FilePart = { bytes: Buffer; name?: string; type?: string }

export const attach = (shop: Shop, fields: Record<string, string>, file?: FilePart): Promise<Answer> =>
  sendForm(shop, 'PUT', '/disputes/evidence', fields, file)

export async function sendForm(shop: Shop, method: string, path: string, fields: Record<string, string>, file?: FilePart): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', new Blob([new Uint8Array(file.bytes)], { type: file.type ?? '' }), file.name ?? 'receipt.pdf')
  const answer = await fetch(shop.url + path, { method, body: form, headers: { 'api-key': shop.api_key } })
  const text = await answer.text()
  return { status: answer.status, headers: {}, body: text === '' ? null : JSON.parse(text), text } as Answer
}

/** Opens a shop with an account at this processor, which sends its webhooks to the service. */
export const openDisputedShop = (connector = 'phonypay') => openShop({ webhooks: 'on', connector })

/** Pays 12.50 and disputes the payment; gives the payment, the sandbox's dispute and the service's dispute. */
export async function disputed(shop: Shop, ask: { amount?: number; stage?: string; reason?: string } = {}) {
  const payment = await shop.pay({ amount: 1250 })
  await shop.wait('1 minute')
  return { payment, ...(await dispute(shop, payment.payment_id, ask)) }
}

export async function dispute(shop: Shop, payment_id: string, ask: object = {}) {
  const { connector_transaction_id } = await shop.get(payment_id)
  const before = await disputesOf(shop, payment_id)
  const remote = await shop.processor.call('POST', `/control/payments/${connector_transaction_id}/dispute`, ask)
  await shop.processor.advance(0)
  const all = await disputesOf(shop, payment_id)
  equal(all.length, before.length + 1)
  const dispute_id: string = all.at(-1)!.dispute_id
  return { remote: remote as Body, dispute_id, dispute: await getDispute(shop, dispute_id) }
}

export const disputesOf = async (shop: Shop, payment_id: string): Promise<Body[]> => (await shop.get(payment_id)).disputes ?? []

export async function getDispute(shop: Shop, dispute_id: string, query = ''): Promise<Body> {
  const answer = await shop.call('GET', `/disputes/${dispute_id}${query}`)
  equal(answer.status, 200, answer.text)
  return answer.body
}

/** Moves the sandbox's dispute to a stage or status, as the bank does, so that the shop receives the webhook. */
export async function decide(shop: Shop, remote: Body, to: { stage?: string; status?: string }): Promise<void> {
  await shop.processor.call('POST', `/control/disputes/${remote.id}`, to)
  await shop.processor.advance(0)
}

export const stands = (dispute: Body): string => `${dispute.dispute_stage} ${dispute.dispute_status}`

/** Gives the amount of the payment that disputes withhold from its merchant. */
export async function kept(shop: Shop, payment_id: string): Promise<number> {
  const [row] = await shop.query('select amount_disputed::int as kept from payments where merchant_id = $1 and payment_id = $2', [
    shop.merchant_id,
    payment_id,
  ])
  return row!.kept
}

/** Gives the types of the dispute events of a payment that merchants have received. */
export const disputeEvents = async (shop: Shop, payment_id: string): Promise<string[]> =>
  (await shop.events(payment_id)).map(event => event.event_type as string).filter(type => type?.startsWith('dispute_'))

/** Verifies that the sequence numbers of a payment's events have no gap. */
export async function hasNoGap(shop: Shop, payment_id: string): Promise<void> {
  const sequences = (await shop.events(payment_id)).flatMap(event => event.sequence ?? [])
  deepEqual(
    sequences,
    sequences.map((_, i) => i + 1),
  )
}
