import type { TestContext } from 'node:test'
import type { TSchema } from 'typebox'
import { otherFamilies } from '../../../src/connectors/instrument.ts'
import { endpoints } from '../../../src/http/endpoints.ts'
import { refusedByName as asksForMore } from '../../../src/payments/fields/all.ts'
import { errorText } from '../../refused.ts'
import { ADMIN_KEY, type Shop } from '../../shop.ts'
import { type Field, fieldsOf, isClosed, isRecord, objectsOf } from './fields.ts'
import { type Hostile, hostileFor } from './hostile.ts'
import { type ApiClient, faultOfRefusal, openApiClient, type openComplaints, type RawAnswer } from './knock.ts'

/**
 * Bad input, generated for every field of every body from the schemas themselves, and for everything around the
 * bodies. Every value that is sent is either accepted, stored and shown unchanged, or refused with an entry of the
 * catalogue that names the field. The answer is never a 5xx, a value is never silently altered, and a refused request
 * leaves no trace.
 */

export const shapeOf = (name: string): TSchema => endpoints.find(endpoint => endpoint.name === name)!.body!

/**
 * Gives every field with every hostile value for it. Variations that only the HTTP layer decides are tried on some
 * fields (every `thoroughEvery`-th).
 */
export function attacks(shape: TSchema, thoroughEvery = 6): { field: Field; hostile: Hostile }[] {
  return fieldsOf(shape).flatMap((field, i) =>
    hostileFor(field, i % thoroughEvery === 0 || isRecord(field.schema)).map(hostile => ({ field, hostile })),
  )
}

/**
 * Gives the place of an unknown member in every object of a schema. A closed object must refuse the member by name.
 */
export const unknownMembers = (shape: TSchema): Field[] =>
  objectsOf(shape).map(({ path, schema }) => ({ path: [...path, 'stranger'], schema: {} as TSchema, holder: schema }))

/** The value that is sent for an unknown member. */
export const unknownMember: Hostile = { name: 'an unknown member', raw: '"x"' }

/**
 * Judges the answer to an unknown member: it is refused by name in a closed object, and does no harm in an open one.
 */
export function judgeUnknownMember(
  complaints: ReturnType<typeof openComplaints>,
  field: Field,
  answer: RawAnswer,
  isYes = (answer: RawAnswer) => answer.status === 200,
): void {
  const closed = field.holder !== null && isClosed(field.holder)
  if (isYes(answer)) {
    if (closed) complaints.about(field.path, unknownMember, answer, 'was accepted in a closed object')
    return
  }
  const fault = faultOfRefusal(answer)
  if (fault) complaints.about(field.path, unknownMember, answer, fault)
  else if (closed && !errorText(answer.body.error).includes('stranger')) complaints.about(field.path, unknownMember, answer, 'is not named')
}

export const adminClient = (shop: Shop): ApiClient => openApiClient(shop.url, { 'api-key': ADMIN_KEY })
export const clientOf = (shop: Shop): ApiClient => openApiClient(shop.url, { 'api-key': shop.api_key })
export const rowsOf = async (shop: Shop, table: string): Promise<number> =>
  Number((await shop.query(`select count(*) from ${table} where merchant_id = $1`, [shop.merchant_id]))[0].count)

/** Members of the interface whose whole features this version refuses by name. */
export const notYet = [
  ...[...asksForMore].filter(([, { harmless }]) => harmless.length === 0).map(([member]) => member),
  ...['split_refunds', 'primary_business_details', 'network_tokenization_credentials'],
]
/** Gives the values of such a member that are accepted: those that request nothing. */
export const harmless = (member: string): readonly unknown[] => asksForMore.get(member)?.harmless ?? []
/** Members for charges without the customer, which make sense only in a body of their own. */
export const repeating = ['recurring_details', 'mandate_id', 'mandate_data', 'off_session', 'is_stored_credential']
/** Members that are accepted only with one particular value, which no table can know. */
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

/** Kinds of payment method data other than a card. `src/payments/methods.test.ts` tests their values. */
const otherWays = ['card_token', ...otherFamilies]

/**
 * Complains of each field of which no value was ever accepted: such a field is a hole in this suite, because its good
 * body is not good.
 */
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
