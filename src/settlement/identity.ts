import { hash } from 'node:crypto'
import { dayOf } from '../base/time.ts'
import type { SettlementLine } from './line.ts'

/** The amount by which identical movements are told apart: a line of fees alone has no gross amount. */
export const movedAmount = ({ gross, net }: Pick<SettlementLine, 'gross' | 'net'>): number => (gross === 0 ? net : gross)

/** 128 bits, in 22 letters and digits. */
export const digestOf = (...parts: readonly (string | number | null)[]): string =>
  hash('sha256', parts.join('\u0000'), 'base64url').slice(0, 22)

/**
 * Identifies a movement by its meaning, never by its form in a file. With a reference of its own: type, reference
 * and sign (and currency, where two halves of a conversion share the reference). Otherwise the names that it has,
 * its batch (or else the day on which it was booked), currency and amount.
 */
export function movementIdentity(line: SettlementLine): string {
  const { type, reference, currency } = line
  const amount = movedAmount(line)
  if (reference !== null) return digestOf(type, reference, Math.sign(amount), type === 'conversion' ? currency : '')
  const name = line.object_reference ?? line.request_id ?? line.payment_reference ?? line.description
  return digestOf(type, name, line.batch ?? (line.booked_at && dayOf(line.booked_at)), currency, amount, 'unnamed')
}

/** Of a table that is at most three quarters full, the rest is free. */
const FULLEST = 0.75

/**
 * Counts how often a report has had the same text: in 10 bytes for each, as a report may have millions of lines. Texts
 * are compared by 64 bits of their hash.
 */
export class Ordinals {
  #size = 1 << 14
  #keys = new Uint32Array(this.#size * 2)
  #counts = new Uint16Array(this.#size)
  #used = 0

  /** Returns how many times this text was counted, this time included. */
  next(text: string): number {
    if (this.#used > this.#size * FULLEST) this.#grow()
    let [a, b] = [0x811c9dc5, 0x9e3779b9]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
    }
    return this.#count(a >>> 0, b >>> 0, 1)
  }

  #count(a: number, b: number, times: number): number {
    for (let at = (a ^ Math.imul(b, 0x27d4eb2f)) & (this.#size - 1); ; at = (at + 1) & (this.#size - 1)) {
      const count = this.#counts[at]!
      if (count === 0) {
        this.#used++
        this.#keys[at * 2] = a
        this.#keys[at * 2 + 1] = b
      } else if (this.#keys[at * 2] !== a || this.#keys[at * 2 + 1] !== b) continue
      this.#counts[at] = count + times
      return count + times
    }
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts]
    this.#size *= 2
    this.#used = 0
    this.#keys = new Uint32Array(this.#size * 2)
    this.#counts = new Uint16Array(this.#size)
    for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) this.#count(keys[at * 2]!, keys[at * 2 + 1]!, counts[at]!)
  }
}
