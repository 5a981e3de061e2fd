import type { TestContext } from 'node:test'
import type { TSchema } from 'typebox'
import { otherFamilies } from '../../../src/connectors/instrument.ts'
import { endpoints } from '../../../src/http/endpoints.ts'
import { refusedByName as asksForMore } from '../../../src/payments/fields/all.ts'
import { wordsOf } from '../../refused.ts'
import { ADMIN_KEY, type Shop } from '../../shop.ts'
import { type Field, fieldsOf, isClosed, isRecord, objectsOf } from './fields.ts'
import { type Hostile, hostileFor } from './hostile.ts'
import { type Door, faultOfRefusal, type Heard, type openComplaints, openDoor } from './knock.ts'

/**
 * Bad input, generated for every field of every body from the schemas themselves, and for everything around the
 * bodies. Every value that is sent is either accepted, kept and shown unchanged, or refused with an entry of the
 * catalogue that names the field. Never a 5xx, never silently altered; what is refused leaves no trace.
 */

export const shapeOf = (name: string): TSchema => endpoints.find(endpoint => endpoint.name === name)!.body!

/**
 * Every field with every value that is meant for it. Variations that only the door decides are tried on some fields.
 */
export function attacks(shape: TSchema, thoroughEvery = 6): { field: Field; hostile: Hostile }[] {
  return fieldsOf(shape).flatMap((field, i) =>
    hostileFor(field, i % thoroughEvery === 0 || isRecord(field.schema)).map(hostile => ({ field, hostile })),
  )
}

/** An unknown member of every object: refused by name where the object is closed. */
export const strangers = (shape: TSchema): Field[] =>
  objectsOf(shape).map(({ path, schema }) => ({ path: [...path, 'stranger'], schema: {} as TSchema, holder: schema }))

/** What is sent for a stranger. */
export const stranger: Hostile = { name: 'an unknown member', raw: '"x"' }

/** An unknown member is refused by name in a closed object, and does no harm in an open one. */
export function judgeStranger(
  complaints: ReturnType<typeof openComplaints>,
  field: Field,
  heard: Heard,
  isYes = (answer: Heard) => answer.status === 200,
): void {
  const closed = field.holder !== null && isClosed(field.holder)
  if (isYes(heard)) {
    if (closed) complaints.about(field.path, stranger, heard, 'was accepted in a closed object')
    return
  }
  const fault = faultOfRefusal(heard)
  if (fault) complaints.about(field.path, stranger, heard, fault)
  else if (closed && !wordsOf(heard.body.error).includes('stranger')) complaints.about(field.path, stranger, heard, 'is not named')
}

export const adminDoor = (shop: Shop): Door => openDoor(shop.url, { 'api-key': ADMIN_KEY })
export const doorOf = (shop: Shop): Door => openDoor(shop.url, { 'api-key': shop.api_key })
export const rowsOf = async (shop: Shop, table: string): Promise<number> =>
  Number((await shop.query(`select count(*) from ${table} where merchant_id = $1`, [shop.merchant_id]))[0].count)

/** Whole features of the interface that this version refuses by name. */
export const notYet = [
  ...[...asksForMore].filter(([, { harmless }]) => harmless.length === 0).map(([member]) => member),
  ...['split_refunds', 'primary_business_details', 'network_tokenization_credentials'],
]
/** Of these only some values are taken: those that ask for nothing. */
export const harmless = (member: string): readonly unknown[] => asksForMore.get(member)?.harmless ?? []
/** What charges without the customer: it makes sense only in a body of its own. */
export const repeating = ['recurring_details', 'mandate_id', 'mandate_data', 'off_session', 'is_stored_credential']
/** Members that are taken only with one particular value, which no table can know. */
export const particular = [
  'merchant_id',
  'profile_id',
  'payment_id',
  'client_secret',
  'payment_link',
  'payment_link_config',
  'payment_link_config_id',
  'three_ds_data',
  'request_external_three_ds_authentication',
  'connector',
  'split_payments',
  'installment_options',
  'installment_data',
  'tokenization',
]

/** What of them is taken, the stories say (`src/payments/methods.test.ts`). */
const otherWays = ['card_token', ...otherFamilies]

/** A field in which nothing but absence was ever accepted would be a hole in this suite: its good body is not good. */
export function neverTaken(complaints: ReturnType<typeof openComplaints>, taken: Map<string, number>): void {
  for (const [name, times] of taken) {
    const known =
      [...notYet, ...particular].includes(name.split('.')[0]!) || otherWays.some(kind => name.startsWith(`payment_method_data.${kind}`))
    if (times === 0 && !known) complaints.list.push(`${name}: nothing was ever accepted`)
  }
}

export function count(t: TestContext, requests: number, accepted: number): void {
  t.diagnostic(`${requests} requests, ${accepted} accepted`)
}
