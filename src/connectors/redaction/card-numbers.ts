import { cardNumbersIn, withoutCardNumbers } from '../../base/card-number.ts'
import type { Vault } from '../../context.ts'

/** `hidden`: the replacement stored earlier for an id that contained a card number. */
export type Screen = Pick<Vault, 'digest'> & { isCard(number: string): boolean; hidden?: string | null }

/** For what belongs to no card: no id that a processor gives is treated as a card number. */
export const withoutCard: Screen = { digest: () => '', isCard: () => false }

/** For news without a matching operation: everything that looks like a card number is treated as one. */
const suspecting = ({ digest }: Pick<Vault, 'digest'>): Screen => ({ digest, isCard: () => true })

/** The words of a processor. Only a screen opens it, so nothing is stored, shown or logged unscreened (`port.ts`). */
export class Unscreened<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /**
   * Some processors repeat a card number where none belongs: it is blanked. Of an id by which the processor is queried
   * later, a keyed digest is stored instead, always the same one, so that operations can still be distinguished and
   * webhooks still find them; but only if the id is, or contains, the number of the very card that is used for the
   * payment. A value without findings is returned unchanged.
   */
  screened(screen: Screen): T {
    return screened(this.#value, screen)
  }
}

export const forLog = <T>(value: T, vault: Pick<Vault, 'digest'>): T => screened(value, suspecting(vault))

/** By these the processor is queried later: what only looks like a card number must stay (docs/design/cards.md). */
const ids: ReadonlySet<string> = new Set(['reference', 'id', 'network_transaction_id', 'connector_mandate_id', 'connector_customer_id'])

const screened = <T>(value: T, screen: Screen): T =>
  typeof value === 'string' ? (withoutCardNumbers(value) as T) : screenedMembers(value, screen, false)

/** `exactly`: URLs and payment instructions must not be blanked because a part only looks like a card number. */
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
  if (ids.has(name)) return screenedId(value, screen)
  return !exactly || cardNumbersIn(value).some(screen.isCard) ? withoutCardNumbers(value) : value
}

export function screenedId(id: string, screen: Screen): string {
  const numbers = cardNumbersIn(id)
  if (numbers.length === 0) return id
  const hidden = hiddenId(id, screen)
  return screen.hidden === hidden || numbers.some(screen.isCard) ? hidden : id
}

const hiddenId = (id: string, { digest }: Pick<Vault, 'digest'>): string => `hidden_${digest('reference', id).slice(0, 40)}`

export const storedForms = (id: string, vault: Pick<Vault, 'digest'>): string[] =>
  cardNumbersIn(id).length > 0 ? [id, hiddenId(id, vault)] : [id]
