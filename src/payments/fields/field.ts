import Type, { type TSchema } from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { LARGEST_AMOUNT } from '../../base/money.ts'
import { bool, minor, orNull } from '../../base/shapes.ts'

/** The operations that say what a payment is. */
export type Asking = 'create' | 'update' | 'confirm'

/**
 * A member of what merchants may say of a payment: all that is known of it, in one place. Shapes, the pass over a
 * request (`terms.ts`), the rights of browsers, what is kept, answers, OpenAPI and the pages of the docs are read off
 * it.
 */
export type Field = {
  /** What it looks like in a request, and its limits. */
  shape: TSchema
  /** Which operations take it; if nothing is said, all of them. */
  in?: readonly Asking[]
  /** Which operations cannot do without it. */
  needed?: readonly Asking[]
  /**
   * Who may say it: the merchant's server alone, or a browser with a client_secret too. A browser's word on price,
   * buyer, capture or the need of a challenge is worth nothing.
   */
  by: 'server' | 'browser'
  /** Values of what is the server's to say that a browser may say all the same. */
  browserMay?: readonly unknown[]
  /**
   * Where it is kept: in the payment's column of that name; in its column `asked`, as it was written; masked in the
   * row and sealed in the vault (`means/`); nowhere.
   */
  kept: 'column' | 'asked' | 'vault' | 'nowhere'
  /**
   * Who sees it in answers, as it is kept: every credential, only the merchant's server, nobody. `otherwise`: the
   * answer has a member of this name that is made of more (`show/members.ts`).
   */
  shown: 'to all' | 'to the server' | 'otherwise' | 'never'
  /** Its shape in answers, if that is not the one in requests or null. */
  seen?: TSchema
  /** What answers say where nothing was said, if that is not null. */
  unsaid?: boolean
  /** What becomes of it. Nothing is ignored in silence. */
  does: Does
  /** Members within it that are kept only, by their paths, each with the reason. */
  inside?: Readonly<Record<string, string>>
  /** Holds it to more than its shape says, and refuses it by this name. */
  check?: (field: string, value: never, merchant: Merchant) => void
  /** What it means, for people: a word of the glossary. */
  says?: string
}

/**
 * It does what it says; it describes what is sold to whom and is shown, which is what it is for; only these values
 * are taken, because they ask for nothing, and others refused by name, for a merchant must not believe that they
 * happened; it is taken for the sake of existing clients and kept, without doing what it is for, with the reason
 * (`in`: by this operation; by others it does what it says).
 */
export type Does = 'what it says' | 'describes' | { only?: readonly unknown[]; why?: string; keptOnly?: { why: string; in?: Asking } }

/** Nothing but these values is done. */
export const only = (...harmless: readonly unknown[]) => ({ only: harmless })

/** It is refused, but for these values: why. */
export const refused = (why: string, ...harmless: readonly unknown[]) => ({ only: harmless, why })

export const keptOnly = (why: string, by?: Asking) => ({ keptOnly: { why, ...(by && { in: by }) } })

/** Does this operation take it? */
export const takes = (asking: Asking, field: Field): boolean => field.in === undefined || field.in.includes(asking)

export const toNobody = 'Told to no processor'

export const amount = (description: string) => Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description })

/** A wish of which answers say `false` where it was not made. */
export const noUnlessSaid = { shape: bool, seen: bool, unsaid: false }

/** An amount beside the price, in requests and in answers. */
export const amountOrNull = (description: string) => ({ shape: amount(description), seen: orNull(minor) })
