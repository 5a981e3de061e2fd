import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import type { ProfileRouting } from '../../accounts/routing.ts'
import { LARGEST_AMOUNT } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../../base/shapes.ts'
import { keys } from '../../routing/keys.ts'
import type { RoutingContext } from '../../routing/routing-context.ts'
import { currency } from '../fields/order.ts'

/** A payment as clients of the ecosystem's decision service describe it, and their options for the decision. */

const info = strictObject({
  paymentId: Type.String({ maxLength: 64, description: 'Determines the result of a volume split; the payment does not need to exist' }),
  amount: Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT }),
  currency,
  paymentType: Type.Optional(Type.Enum(['ORDER_PAYMENT'])),
  paymentMethod: Type.Optional(boundedText(64)),
  paymentMethodType: Type.Optional(boundedText(64)),
  cardIsin: Type.Optional(Type.String({ pattern: '^\\d{6}(\\d\\d)?$' })),
  metadata: Type.Optional(Type.String({ maxLength: 4096, description: 'JSON' })),
})

export const infoMembers = {
  paymentInfo: Type.Optional(info),
  merchantId: Type.Optional(shortText),
  eligibleGatewayList: Type.Optional(Type.Array(shortText, { description: 'Alias of connector' })),
  rankingAlgorithm: Type.Optional(
    Type.Enum(['SR_BASED_ROUTING', 'PL_BASED_ROUTING'], { description: 'Overrides whether success-based routing ranks the payment' }),
  ),
  eliminationEnabled: Type.Optional(Type.Boolean({ description: 'Overrides whether elimination is on' })),
}
type Asked = Type.Static<ReturnType<typeof Type.Object<typeof infoMembers>>>

/** Returns the part of such a description that routing uses. Refuses values that the interface does not know. */
export function wishOfInfo(
  given: NonNullable<Asked['paymentInfo']>,
): Pick<RoutingContext, 'payment_id' | 'payment_method' | 'payment_method_type' | 'card_bin' | 'extended_card_bin' | 'metadata'> {
  const { cardIsin: bin = null } = given
  return {
    payment_id: given.paymentId,
    payment_method: wordFor('payment_method', 'paymentInfo.paymentMethod', given.paymentMethod ?? 'card')!,
    payment_method_type: wordFor('payment_method_type', 'paymentInfo.paymentMethodType', given.paymentMethodType),
    card_bin: bin?.slice(0, 6) ?? null,
    extended_card_bin: bin?.length === 8 ? bin : null,
    metadata: given.metadata === undefined ? null : readMetadata(given.metadata),
  }
}

function wordFor(lhs: 'payment_method' | 'payment_method_type', field: string, written: string | undefined): string | null {
  if (written === undefined) return null
  const key = keys[lhs]
  const word = key?.is === 'word' ? key.word(written) : undefined
  return word ?? refuse('unacceptable', { field, problem: `${written} is not a valid ${lhs}` })
}

function readMetadata(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  return refuse('unacceptable', { field: 'paymentInfo.metadata', problem: 'must be a JSON object in a string' })
}

/** Refuses (HE_02) a request that names a merchant other than the caller's. */
export function checkMerchantId({ merchant_id }: Merchant, { merchantId }: Asked): void {
  if (merchantId !== undefined && merchantId !== merchant_id) refuse('not_found', { what: 'merchant account' })
}

/** Applies the caller's options. Refuses (IR_16) dynamic routing that was never configured: it has no statistics. */
export function routingAsked(
  routing: ProfileRouting | undefined,
  { rankingAlgorithm, eliminationEnabled }: Asked,
): ProfileRouting | undefined {
  const ranks = rankingAlgorithm && rankingAlgorithm === 'SR_BASED_ROUTING'
  if (ranks && !routing?.success_based)
    refuse('precondition', { problem: 'Success-based routing is not configured for this business profile' })
  if (eliminationEnabled && !routing?.elimination)
    refuse('precondition', { problem: 'Elimination routing is not configured for this business profile' })
  if (!routing) return undefined
  const row = { ...routing.row }
  const as = (on: boolean) => (on ? 'dynamic_connector_selection' : 'none')
  if (ranks !== undefined && row.success_based) {
    row.success_based = { ...row.success_based, enabled: as(ranks) }
    row.dynamic_share = 100
  }
  if (eliminationEnabled !== undefined && row.elimination) row.elimination = { ...row.elimination, enabled: as(eliminationEnabled) }
  return { ...routing, row }
}
