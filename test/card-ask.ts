import { deepEqual, equal } from 'node:assert/strict'
import { Secret } from '../src/base/secret.ts'
import type { Account, AuthorizeRequest, Outcome, RequestOf } from '../src/connectors/connector.ts'
import type { Other } from '../src/connectors/instrument.ts'

/** Gives a connector account, for rehearsals. */
export const accountAt = (
  base_url: string,
  credentials: Readonly<Record<string, string>>,
  metadata: Account['metadata'] = {},
  webhook_secret: string | null = null,
): Account => ({
  base_url,
  credentials: Object.fromEntries(Object.entries(credentials).map(([name, text]) => [name, new Secret(text)])),
  webhook_secret: webhook_secret === null ? null : new Secret(webhook_secret),
  metadata,
})

/** The members of an authorization request on which few tests depend. */
export const usualAsk = {
  three_ds: 'skip',
  return_url: 'https://shop.example/return',
  merchant_name: 'Chairs & Co',
  partial_approval: 'refuse',
  stored_credential: null,
  statement_descriptor: null,
} as const

/** Gives an authorization request by card, for rehearsals of connectors: 12.50 USD, request id REQ1. */
export const cardAsk = (more: Partial<AuthorizeRequest<'card'>> = {}): AuthorizeRequest<'card'> => ({
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'USD' },
  capture: 'automatic',
  instrument: { is: 'card', number: new Secret('4242424242424242'), exp_month: 3, exp_year: 2040, cvc: new Secret('737'), holder: null },
  ...usualAsk,
  ...more,
})

/** A card that the customer enters on a page of the processor. */
export const onTheirPage: Other<'card_redirect'> = {
  is: 'card_redirect',
  type: 'card_redirect',
  way: 'card_redirect',
  open: {},
  secrets: {},
}

/** Gives a payout request to a card, for rehearsals of connectors: 12.50 USD, request id REQ1. */
export const payoutAsk = (more: Partial<RequestOf<'payout'>> = {}): RequestOf<'payout'> => ({
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'USD' },
  recipient: { is: 'card', type: null, number: new Secret('4242424242424242'), exp_month: 3, exp_year: 2040, holder: 'Ada Byron' },
  entity_type: 'Individual',
  priority: null,
  merchant_name: 'Chairs & Co',
  description: null,
  ...more,
})

/**
 * The members of the processor's answer, the kind of outcome that the connector makes of the answer, and some members
 * of this outcome.
 */
export type Row = [more: object, is: Outcome['is'], what: object]

/** Verifies that the answer of each row gives the outcome of this row. */
export function holds(rows: readonly Row[], outcomeOf: (more: object) => Outcome): void {
  for (const [more, is, what] of rows) {
    const outcome = outcomeOf(more)
    equal(outcome.is, is, JSON.stringify(more))
    deepEqual(Object.fromEntries(Object.keys(what).map(name => [name, outcome[name as keyof Outcome]])), what)
  }
}
