import type { Currency } from '../../src/base/currencies.ts'
import type { Verb } from '../../src/connectors/connector.ts'
import type { OtherFamily } from '../../src/connectors/instrument.ts'

/**
 * What only a connector's own contract can say, for the conformance suite (`src/connectors/conformance*.test.ts`):
 * one good answer of each kind, from which nearly good ones are made.
 */
export type Specimen = {
  answers: Record<string, object>
  /** The verbs that are only received: their good answer is no yes yet. And the status that it has. */
  received?: { status: number; verbs: readonly Verb[] }
  /** Credentials that are a name, and no secret. */
  names?: readonly string[]
  errors: [status: number, body: object][]
  /** What the idempotency key of request REQ1 is, where the processor wants it in a form of its own. */
  key?: string
  /** The header that its idempotency key is in, where that is not `idempotency-key`. */
  keyHeader?: string
  /** Where its idempotency key is in the body, in the first group, where that is in no header. */
  keyIn?: RegExp
  /** Statuses that are errors of its contract without a body. */
  bare?: readonly number[]
  /** What a verb is told before it says what moves the money: the good answers to that. */
  before?: Partial<Record<Verb, object[]>>
  /** So it is with everything that is paid with; otherwise only what is paid by a number is made known first. */
  alwaysFirst?: true
  /** What is answered where the customer is made known whose it is that is kept. */
  owner?: readonly object[]
  /** Requests that move no money though they are no GET: a card becomes a token, an order is asked about. */
  harmless?: RegExp
  /** The same of bodies, where all requests go to one address. */
  harmlessBody?: RegExp
  /** What is answered where the security code of a card that is kept becomes a token before it is charged. */
  codeMadeKnown?: readonly object[]
  /** What it has no name for it looks for in a list: one that holds the good answer to an authorization. */
  listed?: object
  /** What acts on a payment is asked about by our own name of that: it has none of its own. */
  askedByPayment?: true
  /** The verbs that say our request id as a key although the others do not: they are asked of another server. */
  keyed?: readonly Verb[]
  /**
   * The ways of its offers, by our names; absent: every way of their types. The suite goes through all of them
   * (`conformance-offers.test.ts`), and elsewhere through the first of each family. `said`: of a way, besides what is
   * usual. `first`: what is paid with is made known before the request that moves money, as a card is; or what that is
   * answered. `owned`: so is its customer, whether it is kept or not.
   */
  ways?: readonly { family: OtherFamily; way: string; said?: object; first?: true | 'owner' | object; owned?: true }[]
  /** The verbs whose good answer may be a 201 as well. */
  made?: readonly Verb[]
  /** The amount is not in the request that moves the money, but in this one before it. */
  amountIn?: RegExp
  /** The verbs that say by how much more, and not how much in all. */
  byDifference?: readonly Verb[]
  /** Its webhooks are not signed: they only say where to look. */
  unsigned?: true
  /**
   * The good answer to an authorization of this amount; the common one with its `amount` and `currency`, unless said
   * otherwise.
   */
  authorized?(amount: number, currency: Currency): object
}
