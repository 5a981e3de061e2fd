import { moves, type StateOf, statesOf } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bigint, count, int, json, type RowOf, select, table, text, time, word } from '../database/table.ts'

/** An accepted charge revokes a single-use mandate, as existing clients expect (contract 3.13). */
export const mandateLifecycle = moves({
  pending: { agreed: 'active', declined: 'inactive', revoked: 'revoked' },
  active: { revoked: 'revoked', used_up: 'revoked' },
  inactive: { revoked: 'revoked' },
  revoked: {},
})
export type MandateStatus = StateOf<typeof mandateLifecycle>

export type CustomerAcceptance = { acceptance_type: string; accepted_at?: Time; online?: { ip_address?: string; user_agent?: string } }

/** Each allows charging a customer off-session, with its saved payment method and its limits. */
export const mandates = table('mandates', {
  kind: 'mandate',
  key: ['merchant_id', 'mandate_id'],
  columns: {
    merchant_id: text(),
    mandate_id: text(),
    version: count(1),
    sequence: count(0),
    status: word('mandate_status', ['active', 'inactive', 'pending', 'revoked'] satisfies MandateStatus[] as MandateStatus[]),
    customer_id: text().fixed(),
    payment_method_id: text().fixed(),
    /** With which the mandate was agreed on. Its profile is the mandate's profile. */
    payment_id: text().fixed(),
    profile_id: text().fixed(),
    connector: text().fixed(),
    type: text<'single_use' | 'multi_use'>('multi_use').fixed(),
    amount: bigint().orNull().fixed(),
    currency: text().orNull().fixed(),
    start_date: time().orNull().fixed(),
    end_date: time().orNull().fixed(),
    metadata: json<Record<string, unknown>>().orNull().fixed(),
    /** The customer's IP address and browser in it are erased when the customer is deleted. */
    customer_acceptance: json<CustomerAcceptance>().unrecorded(),
    created_at: time().fixed(),
    modified_at: time(),
  },
})
export type Mandate = RowOf<typeof mandates>
export const mandateStatuses = statesOf(mandateLifecycle)

/** Payments under way are included, failed ones are not. Without a history: the payments are its history. */
export const mandateTotals = table('mandate_totals', {
  key: ['merchant_id', 'mandate_id'],
  columns: {
    merchant_id: text(),
    mandate_id: text(),
    most_charges: int().orNull().fixed(),
    most_amount: bigint().orNull().fixed(),
    charges: int().unrecorded(),
    amount: bigint().unrecorded(),
  },
})

type Reads = Pick<Context, 'query'>

const byId = statement('mandate_by_id', select(mandates, 'where merchant_id = $1 and mandate_id = $2'))
const ofCustomer = statement(
  'mandates_of_customer',
  select(mandates, 'where merchant_id = $1 and customer_id = $2 order by created_at desc, mandate_id'),
)
const ofMethod = statement(
  'active_mandates_of_method',
  select(mandates, "where merchant_id = $1 and customer_id = $2 and payment_method_id = $3 and status = 'active'"),
)

export const findMandate = async (context: Reads, merchant_id: string, mandate_id: string): Promise<Mandate | undefined> =>
  (await context.query<Mandate>(byId, [merchant_id, mandate_id]))[0]

export const needMandate = async (context: Reads, merchant_id: string, mandate_id: string): Promise<Mandate> =>
  (await findMandate(context, merchant_id, mandate_id)) ?? refuse('not_found', { what: 'mandate' })

export const findMandates = (context: Reads, merchant_id: string, customer_id: string): Promise<Mandate[]> =>
  context.query<Mandate>(ofCustomer, [merchant_id, customer_id])

export const findMandatesOf = (
  context: Reads,
  { merchant_id, customer_id, payment_method_id }: Pick<Mandate, 'merchant_id' | 'customer_id' | 'payment_method_id'>,
): Promise<Mandate[]> => context.query<Mandate>(ofMethod, [merchant_id, customer_id, payment_method_id])

/** The fact and time of the acceptance stay. */
export const forgetAcceptances = async (context: Reads, merchant_id: string, customer_id: string): Promise<RowChange[]> =>
  (await findMandates(context, merchant_id, customer_id)).map(before => {
    const { online: _person, ...customer_acceptance } = before.customer_acceptance
    return { table: mandates.name, before, after: { ...before, customer_acceptance } }
  })

/** Refuses (IR_10) a customer with an active mandate. */
export async function needNoMandate(context: Reads, merchant_id: string, customer_id: string): Promise<void> {
  if ((await findMandates(context, merchant_id, customer_id)).some(({ status }) => status === 'active')) refuse('active_mandate')
}
