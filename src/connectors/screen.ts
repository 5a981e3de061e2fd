import { holdsCardNumber, withoutCardNumbers } from '../base/card-number.ts'
import type { Vault } from '../world.ts'

/**
 * What processors say passes here before it is kept, shown or logged: outcomes with their facts and references,
 * names, news of disputes. Some repeat a card number where none belongs. It is blanked; of a
 * reference a keyed digest is kept instead, the same each time, so that operations are still told apart and news
 * still finds them. What is as it should be is given back as it is.
 */
export function screened<T>(said: T, vault: Pick<Vault, 'digest'>): T {
  if (typeof said === 'string') return withoutCardNumbers(said) as T
  if (typeof said !== 'object' || said === null) return said
  const prototype = Object.getPrototypeOf(said)
  // Secrets are none of the processor's words.
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return said
  let clean: Record<string, unknown> | null = null
  for (const [name, value] of Object.entries(said)) {
    const screen = name === 'reference' && typeof value === 'string' ? referenceOf(value, vault) : screened(value, vault)
    if (screen === value) continue
    clean ??= (Array.isArray(said) ? [...said] : { ...said }) as Record<string, unknown>
    clean[name] = screen
  }
  return (clean ?? said) as T
}

/** A processor's name of something, as it may be kept. */
export const referenceOf = (reference: string, vault: Pick<Vault, 'digest'>): string =>
  holdsCardNumber(reference) ? `hidden_${vault.digest('reference', reference).slice(0, 40)}` : reference
