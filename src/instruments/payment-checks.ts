import Type from 'typebox'
import { orNull } from '../base/shapes.ts'
import type { Facts } from '../connectors/connector.ts'

/** The results of AVS and security code in the ecosystem's words; processors give the networks' letters (`Facts`). */

const word = orNull(Type.Enum(['pass', 'fail', 'unavailable']))
export const checksShape = Type.Object(
  { address_line1_check: word, address_postal_code_check: word, cvc_check: word },
  { title: 'PaymentChecks', description: 'null: not checked, because nothing was sent to check' },
)

type Word = 'pass' | 'fail' | 'unavailable'
type Address = readonly [line: Word, postcode: Word]

const bothPass: Address = ['pass', 'pass']
const nothingKnown: Address = ['unavailable', 'unavailable']

/** By the networks' letters, and by Adyen's digits where it has no letter. Any other value is `unavailable`. */
const addresses: Readonly<Record<string, Address>> = {
  ...{ Y: bothPass, X: bothPass, D: bothPass, M: bothPass, F: bothPass, 7: bothPass },
  ...{ A: ['pass', 'fail'], 1: ['pass', 'fail'], B: ['pass', 'unavailable'] },
  ...{ Z: ['fail', 'pass'], W: ['fail', 'pass'], 6: ['fail', 'pass'], P: ['unavailable', 'pass'] },
  ...{ N: ['fail', 'fail'], 2: ['fail', 'fail'] },
}
const codes: Readonly<Record<string, Word>> = { M: 'pass', 1: 'pass', N: 'fail', 2: 'fail' }

export function showChecks(facts: Facts | null): Record<string, unknown> | null {
  const { avs_result, cvc_result } = facts ?? {}
  if (!avs_result && !cvc_result) return null
  const [line, postcode] = avs_result ? (addresses[avs_result] ?? nothingKnown) : [null, null]
  return {
    address_line1_check: line,
    address_postal_code_check: postcode,
    cvc_check: cvc_result ? (codes[cvc_result] ?? 'unavailable') : null,
  }
}
