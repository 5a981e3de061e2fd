import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { merchantOf } from '../../../test/routes.ts'
import { type GsmRule, gsmRules } from '../../accounts/gsm.ts'
import { type Merchant, profiles } from '../../accounts/merchant.ts'
import { Secret } from '../../base/secret.ts'
import type { Outcome } from '../../connectors/connector.ts'
import { exampleOf } from '../../database/table.ts'
import { type Operation, operations } from '../../operations/operation.ts'
import { type Payment, payments } from '../payment.ts'
import { retryTarget } from './retry-target.ts'

/**
 * The account at which a declined payment is tried again: the accounts are a and b, in this order, and a was tried
 * first.
 */

const BEGAN = '2026-03-01T10:00:00.000Z'
const merchant = (details: object): Merchant => ({
  ...merchantOf(['a', 'b']),
  profiles: [exampleOf(profiles, { profile_id: 'p', details: { ...details } })],
})
const on = { is_auto_retries_enabled: true, max_auto_retries_enabled: 2 }

const declined = (more: object = {}): Outcome =>
  ({ is: 'declined', reference: 'R', code: 'card_declined', processor_code: 'no', message: 'No.', facts: {}, ...more }) as Outcome
const rule = (more: Partial<GsmRule> = {}): GsmRule => exampleOf(gsmRules, { decision: 'retry', step_up_possible: false, ...more })
const askedAt = (merchant_connector_id: string): Operation =>
  exampleOf(operations, { verb: 'authorize', merchant_connector_id, began: BEGAN, routing: { approach: 'default', order: ['a', 'b'] } })

type Case = {
  outcome?: Outcome
  profile?: object
  rule?: GsmRule | null
  network?: string
  three_ds?: boolean
  tried?: string[]
  seconds?: number
}
const instrument = { is: 'card', number: new Secret('4242424242424242'), exp_month: 1, exp_year: 2040, cvc: null, holder: null } as const

function goes({
  outcome = declined(),
  profile = on,
  rule: made = rule(),
  network = 'Visa',
  three_ds = false,
  tried = [],
  seconds = 1,
}: Case): string {
  const card = { card_network: network } as unknown as Payment['card']
  const request = { payment_method: 'card' } as Payment['request']
  const head = exampleOf(payments, { profile_id: 'p', card, request, authentication_type: three_ds ? 'three_ds' : 'no_three_ds' })
  const now = new Date(Date.parse(BEGAN) + seconds * 1000).toISOString()
  const [before, operation] = tried.length > 0 ? [[askedAt('a')], askedAt(tried[0]!)] : [[], askedAt('a')]
  const next = retryTarget({
    merchant: merchant(profile),
    head,
    operation,
    outcome,
    instrument,
    tried: before,
    now,
    ...(made && { rule: made }),
  })
  return next === null ? 'nowhere' : `${next.account.merchant_connector_id}${next.step_up ? ', with 3-D Secure' : ''}`
}

// biome-ignore format: a table reads better in columns
const table: [what: string, case_: Case, goes: string][] = [
  ['a no that may be tried again',          {},                                                                   'b'],
  ['nothing was sent: no rule is needed',   { outcome: { is: 'not_sent', why: 'refused' }, rule: null },          'b'],
  ['no rule speaks of it',                  { rule: null },                                                       'nowhere'],
  ['the rule says no more',                 { rule: rule({ decision: 'do_default' }) },                           'nowhere'],
  ['silence',                               { outcome: { is: 'unknown', why: 'a timeout' } },                     'nowhere'],
  ['a challenge',                           { outcome: { is: 'waiting', reference: 'R' } },                       'nowhere'],
  ['never received',                        { outcome: { is: 'not_found' } },                                     'nowhere'],
  ['retries are off',                       { profile: {} },                                                      'nowhere'],
  ['none may be made',                      { profile: { ...on, max_auto_retries_enabled: 0 } },                  'nowhere'],
  ['as many as may be were made',           { profile: { ...on, max_auto_retries_enabled: 1 }, tried: ['b'] },    'nowhere'],
  ['everybody was asked',                   { tried: ['b'] },                                                     'nowhere'],
  ['15 seconds after the first',            { seconds: 15 },                                                      'b'],
  ['later than that',                       { seconds: 15.001 },                                                  'nowhere'],
  ['the issuer wants the customer',         { rule: rule({ step_up_possible: true }) },                           'a, with 3-D Secure'],
  ['who was asked for already',             { rule: rule({ step_up_possible: true, decision: 'do_default' }), three_ds: true }, 'nowhere'],
  ['advice: mend the card’s data',          { outcome: declined({ network_advice: '01' }), network: 'Mastercard' },   'b'],
  ['advice: another time',                  { outcome: declined({ network_advice: '02' }), network: 'Mastercard' },   'b'],
  ['advice: never again',                   { outcome: declined({ network_advice: '03' }), network: 'Mastercard' },   'nowhere'],
  ['advice: the customer has cancelled',    { outcome: declined({ network_advice: '21' }), network: 'Mastercard' },   'nowhere'],
  ['advice: in an hour',                    { outcome: declined({ network_advice: '24' }), network: 'Mastercard' },   'nowhere'],
  ['advice: in ten days',                   { outcome: declined({ network_advice: '30' }), network: 'Mastercard' },   'nowhere'],
  ['Visa: do not honour',                   { outcome: declined({ network_code: '05' }) },                            'b'],
  ['Visa: lost',                            { outcome: declined({ network_code: '41' }) },                            'nowhere'],
  ['Visa: stop this payment',               { outcome: declined({ network_code: 'R0' }) },                            'nowhere'],
  ['the same code of another network',      { outcome: declined({ network_code: '41' }), network: 'JCB' },            'b'],
]

test('a decline is retried only if outcome, profile, rules and card network allow it, within 15 seconds of the first attempt', () => {
  for (const [what, one, where] of table) equal(goes(one), where, what)
})
