import { createPublicKey } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'

/** `extended_card_info_config`: the key with which card numbers are encrypted, and how long they are available. */

export const extendedCardInfoShape = strictObject({
  public_key: boundedText(8192),
  ttl_in_secs: Type.Optional(Type.Integer({ minimum: 0, maximum: 7200, description: 'Default 900' })),
})
export type ExtendedCardInfoConfig = Static<typeof extendedCardInfoShape>

export const USUAL_TTL_S = 900
const LEAST_BITS = 2048

export function checkExtendedCardInfo(field: string, config: ExtendedCardInfoConfig | undefined): void {
  if (config === undefined) return
  const no = () =>
    refuse('unacceptable', { field: `${field}.public_key`, problem: `must be an RSA public key of at least ${LEAST_BITS} bits, as PEM` })
  try {
    if (config.public_key.includes('PRIVATE KEY')) no()
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(config.public_key)
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_BITS) no()
  } catch {
    no()
  }
}
