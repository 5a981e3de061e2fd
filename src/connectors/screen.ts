import { cardNumbersIn, withoutCardNumbers } from '../base/card-number.ts'
import type { Vault } from '../context.ts'

/**
 * How texts from a processor are screened. `isCard`: whether a number is that of the card of this payment. `hidden`:
 * the replacement stored earlier for an id that contained a card number.
 */
export type Screen = Pick<Vault, 'digest'> & { isCard(number: string): boolean; hidden?: string | null }

/** Returns a screen for operations without a known card: no id that a processor gives is treated as a card number. */
export const withoutCard = ({ digest }: Pick<Vault, 'digest'>): Screen => ({ digest, isCard: () => false })
/**
 * Returns a screen for news without a matching operation: everything in it that looks like a card number is treated as
 * one.
 */
export const suspecting = ({ digest }: Pick<Vault, 'digest'>): Screen => ({ digest, isCard: () => true })

/**
 * The members by which the processor is queried later: an id that only looks like a card number must stay as it is
 * (docs/design/cards.md).
 */
const names: ReadonlySet<string> = new Set(['reference', 'id', 'network_transaction_id', 'connector_mandate_id', 'connector_customer_id'])

/**
 * Screens everything that a processor answers before it is stored, shown or logged: outcomes with their facts and
 * references, ids, news of disputes. Some processors repeat a card number where none belongs. It is blanked. Of an id
 * by which the processor is queried later, a keyed digest is stored instead, always the same one, so that operations
 * can still be distinguished and webhooks still find them; but only if the id is, or contains, the number of the very
 * card that is used for the payment. A value without findings is returned unchanged.
 */
export function screened<T>(data: T, screen: Screen): T {
  if (typeof data === 'string') return withoutCardNumbers(data) as T
  return screenedMembers(data, screen, false)
}

/**
 * Screens the members of an object. `exactly`: URLs and payment instructions for the customer must not be blanked
 * because a part of them looks like a card number either.
 */
function screenedMembers<T>(data: T, screen: Screen, exactly: boolean): T {
  if (typeof data !== 'object' || data === null) return data
  const prototype = Object.getPrototypeOf(data)
  // A `Secret` is never a text from the processor.
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return data
  let clean: Record<string, unknown> | null = null
  for (const name in data) {
    const value: unknown = data[name as keyof typeof data]
    const now =
      typeof value === 'string' ? textOf(name, value, screen, exactly) : screenedMembers(value, screen, exactly || name === 'next_action')
    if (now === value) continue
    clean ??= (Array.isArray(data) ? [...data] : { ...data }) as Record<string, unknown>
    clean[name] = now
  }
  return (clean ?? data) as T
}

function textOf(name: string, value: string, screen: Screen, exactly: boolean): string {
  if (names.has(name)) return referenceOf(value, screen)
  return !exactly || holdsCard(value, screen) ? withoutCardNumbers(value) : value
}

const holdsCard = (text: string, { isCard }: Screen): boolean => cardNumbersIn(text).some(isCard)

/** Returns a processor's id as it may be stored. */
export function referenceOf(reference: string, screen: Screen): string {
  const numbers = cardNumbersIn(reference)
  if (numbers.length === 0) return reference
  const hidden = maskedReference(reference, screen)
  return screen.hidden === hidden || numbers.some(screen.isCard) ? hidden : reference
}

/** Returns the replacement of an id that contains a card number. */
const maskedReference = (reference: string, { digest }: Pick<Vault, 'digest'>): string =>
  `hidden_${digest('reference', reference).slice(0, 40)}`

/** Returns the forms in which an id from a processor may be stored: as it is, or hidden. */
export const keptNames = (reference: string, vault: Pick<Vault, 'digest'>): string[] =>
  cardNumbersIn(reference).length > 0 ? [reference, maskedReference(reference, vault)] : [reference]
