import type { Currency } from '../../src/base/currencies.ts'
import type { Verb } from '../../src/connectors/connector.ts'
import type { OtherFamily } from '../../src/connectors/instrument.ts'

/**
 * The facts of a processor's contract that the conformance suite (`src/connectors/conformance*.test.ts`) needs. Its
 * nearly good answers are made from the good answers here, one of each kind.
 */
export type Specimen = {
  answers: Record<string, object>
  /** The verbs whose good answer only confirms receipt, so that the result is still open, and that answer's status. */
  received?: { status: number; verbs: readonly Verb[] }
  /** The credentials that are a name and not secret. */
  names?: readonly string[]
  errors: [status: number, body: object][]
  /** The idempotency key of request REQ1, where the processor requires a form of its own. */
  key?: string
  /** The header of the idempotency key, where it is not `idempotency-key`. */
  keyHeader?: string
  /** The pattern that finds the idempotency key in the body (its first group), where the key is in no header. */
  keyIn?: RegExp
  /** The statuses that are errors of the contract even without a body. */
  bare?: readonly number[]
  /** The good answers to the requests that a verb sends before the request that moves money. */
  before?: Partial<Record<Verb, object[]>>
  /** The requests in `before` are sent for every instrument; otherwise only for card numbers and ways with `first`. */
  alwaysFirst?: true
  /** The answers to the requests that create the customer who owns a saved instrument. */
  owner?: readonly object[]
  /** The URLs of requests that move no money though they are not GET: tokenizing a card, querying an order. */
  harmless?: RegExp
  /** The bodies of such requests, where all requests go to one URL. */
  harmlessBody?: RegExp
  /** The answers to the requests that tokenize the security code of a stored card before the card is charged. */
  codeMadeKnown?: readonly object[]
  /** A list with the good answer to an authorization, in which a payment without a processor's id is looked up. */
  listed?: object
  /** Operations on a payment are queried by our request id of the authorization: they have no id of their own. */
  askedByPayment?: true
  /** The verbs that send our request id as a key although the others do not, because they use another server. */
  keyed?: readonly Verb[]
  /**
   * The ways of the connector's offers, by our names; if absent, every way of the offered types. The suite tests all
   * of them (`conformance-offers.test.ts`), and elsewhere the first of each family. `said`: members of the way's data
   * that differ from the usual ones. `first`: the instrument (true) or the customer (`owner`) is created by a request
   * before the request that moves money; an object is the answer to that earlier request. `owned`: the customer is
   * created too, whether the instrument is saved or not.
   */
  ways?: readonly { family: OtherFamily; way: string; said?: object; first?: true | 'owner' | object; owned?: true }[]
  /** The verbs whose good answer may also have status 201. */
  made?: readonly Verb[]
  /** The URL of the request that contains the amount, where it is an earlier one than the request that moves money. */
  amountIn?: RegExp
  /** The verbs whose amount is the difference and not the new total. */
  byDifference?: readonly Verb[]
  /** The processor's webhooks are not signed: they only name the object to query. */
  unsigned?: true
  /**
   * Returns the good answer to an authorization of this amount. If absent, `answers.authorize` is used with this
   * `amount` and `currency`.
   */
  authorized?(amount: number, currency: Currency): object
}
