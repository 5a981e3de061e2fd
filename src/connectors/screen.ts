import { cardNumbersIn, withoutCardNumbers } from '../base/card-number.ts'
import type { Vault } from '../context.ts'

/**
 * `isCard`: is this the number of the card that is paid with? `hidden`: what is kept in the place of a name that was
 * one.
 */
export type Screen = Pick<Vault, 'digest'> & { isCard(number: string): boolean; hidden?: string | null }

/** Where no card is paid with, as far as is known, no name that a processor gives is a card's number. */
export const withoutCard = ({ digest }: Pick<Vault, 'digest'>): Screen => ({ digest, isCard: () => false })
/** For news that no operation was found for: everything in it that looks like a card number is treated as one. */
export const suspecting = ({ digest }: Pick<Vault, 'digest'>): Screen => ({ digest, isCard: () => true })

/** By these a processor is asked later: what only looks like a card number must stay as it is (decision 0094). */
const names: ReadonlySet<string> = new Set(['reference', 'id', 'network_transaction_id', 'connector_mandate_id', 'connector_customer_id'])

/**
 * What processors say passes here before it is kept, shown or logged: outcomes with their facts and references,
 * names, news of disputes. Some repeat a card number where none belongs. It is blanked; of a name by which they are
 * asked later a keyed digest is kept instead, the same each time, so that operations are still told apart and news
 * still finds them, but only if it is, or holds, the number of the very card that is paid with. What is as it should
 * be is given back as it is.
 */
export function screened<T>(said: T, screen: Screen): T {
  if (typeof said === 'string') return withoutCardNumbers(said) as T
  return screenedMembers(said, screen, false)
}

/** `exactly`: where customers are sent, and what they are to pay by, must not be blanked for its looks either. */
function screenedMembers<T>(said: T, screen: Screen, exactly: boolean): T {
  if (typeof said !== 'object' || said === null) return said
  const prototype = Object.getPrototypeOf(said)
  // Secrets are none of the processor's words.
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return said
  let clean: Record<string, unknown> | null = null
  for (const name in said) {
    const value: unknown = said[name as keyof typeof said]
    const now =
      typeof value === 'string' ? textOf(name, value, screen, exactly) : screenedMembers(value, screen, exactly || name === 'next_action')
    if (now === value) continue
    clean ??= (Array.isArray(said) ? [...said] : { ...said }) as Record<string, unknown>
    clean[name] = now
  }
  return (clean ?? said) as T
}

function textOf(name: string, value: string, screen: Screen, exactly: boolean): string {
  if (names.has(name)) return referenceOf(value, screen)
  return !exactly || holdsCard(value, screen) ? withoutCardNumbers(value) : value
}

const holdsCard = (text: string, { isCard }: Screen): boolean => cardNumbersIn(text).some(isCard)

/** A processor's name of something, as it may be kept. */
export function referenceOf(reference: string, screen: Screen): string {
  const numbers = cardNumbersIn(reference)
  if (numbers.length === 0) return reference
  const hidden = maskedReference(reference, screen)
  return screen.hidden === hidden || numbers.some(screen.isCard) ? hidden : reference
}

/** What stands in the place of a name that holds a card number. */
export const maskedReference = (reference: string, { digest }: Pick<Vault, 'digest'>): string =>
  `hidden_${digest('reference', reference).slice(0, 40)}`

/** Under which names something may be kept that a processor calls so: as it is, or hidden. */
export const keptNames = (reference: string, vault: Pick<Vault, 'digest'>): string[] =>
  cardNumbersIn(reference).length > 0 ? [reference, maskedReference(reference, vault)] : [reference]
