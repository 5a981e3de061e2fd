import { hash } from 'node:crypto'
import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import * as column from '../database/table.ts'

/** Rules for processors' error codes (contract 6.6, the ecosystem's "GSM"), matched exactly, for all merchants. */

/** Owner in place of a merchant, which cannot have this id. */
export const DEPLOYMENT = '@deployment'

const nothing = <T extends string>() => column.text<T>('' as T).orNull()

export const gsmRules = column.table('gsm_rules', {
  kind: 'gsm_rule',
  cached: true,
  key: ['merchant_id', 'rule_id'],
  columns: {
    merchant_id: column.text(),
    rule_id: column.text(),
    version: column.count(1),
    connector: column.text().fixed(),
    flow: column.text().fixed(),
    sub_flow: column.text().fixed(),
    code: column.text().fixed(),
    message: column.text().fixed(),
    status: column.text(),
    router_error: nothing(),
    decision: column.text<'retry' | 'do_default'>('retry'),
    step_up_possible: column.flag(),
    clear_pan_possible: column.flag(),
    alternate_network_possible: column.flag(),
    unified_code: nothing(),
    unified_message: nothing(),
    error_category: nothing(),
    standardised_code: nothing(),
    description: nothing(),
    user_guidance_message: nothing(),
    deleted: column.flag(),
    created: column.time().fixed(),
    modified_at: column.time(),
  },
})
export type GsmRule = column.RowOf<typeof gsmRules>

const flag = Type.Boolean()
const key = {
  connector: Type.Enum(Object.keys(connectors)),
  flow: boundedText(64),
  sub_flow: boundedText(64),
  code: shortText,
  message: boundedText(1024),
}
const decision = Type.Enum(['retry', 'do_default'])
const feature = Type.Enum(['retry'])
const features = strictObject({
  retry: strictObject({ step_up_possible: flag, clear_pan_possible: flag, alternate_network_possible: Type.Optional(flag), decision }),
})

const standardisedCodes =
  `account_closed_or_invalid authentication_failed authentication_required authorization_missing_or_revoked card_lost_or_stolen card_not_supported_restricted
  cfg_pm_not_enabled_or_misconfigured compliance_or_sanctions_restriction configuration_issue credit_limit_exceeded currency_or_corridor_not_enabled do_not_honor downstream_technical_issue
  duplicate_request generic_unknown_error incorrect_authentication_code insufficient_funds integ_cryptographic_issue integration_issue invalid_card_number invalid_credentials invalid_cvv
  invalid_expiry_date invalid_state issuer_unavailable merchant_inactive missing_or_invalid_param operation_not_allowed payment_cancelled_by_user payment_method_issue payment_session_timeout
  pm_address_mismatch psp_acquirer_error psp_fraud_engine_decline rate_limit stored_credential_or_mit_not_enabled subscription_plan_inactive suspected_fraud three_ds_authentication_service_issue
  three_ds_configuration_issue three_ds_data_or_protocol_invalid transaction_not_permitted transaction_timed_out velocity_limit_exceeded wallet_or_token_config_issue`.split(
    /\s+/,
  )

const optional = {
  router_error: Type.Optional(shortText),
  unified_code: Type.Optional(shortText),
  unified_message: Type.Optional(boundedText(1024)),
  error_category: Type.Optional(
    Type.Enum([
      'frm_decline',
      'processor_downtime',
      'processor_decline_unauthorized',
      'issue_with_payment_method',
      'processor_decline_incorrect_data',
      'hard_decline',
      'soft_decline',
    ]),
  ),
  feature: Type.Optional(feature),
  feature_data: Type.Optional(features),
  standardised_code: Type.Optional(Type.Enum(standardisedCodes)),
  description: Type.Optional(boundedText(1024)),
  user_guidance_message: Type.Optional(boundedText(1024)),
}

export const gsmKeyShape = strictObject(key)
export type GsmKey = Pick<GsmRule, 'connector' | 'flow' | 'sub_flow' | 'code' | 'message'>

export const gsmCreateShape = strictObject({
  ...key,
  status: shortText,
  decision,
  step_up_possible: flag,
  clear_pan_possible: flag,
  ...optional,
})
type GsmCreateAsk = Type.Static<typeof gsmCreateShape>

export const gsmUpdateShape = strictObject({
  ...key,
  status: Type.Optional(shortText),
  decision: Type.Optional(decision),
  step_up_possible: Type.Optional(flag),
  clear_pan_possible: Type.Optional(flag),
  ...optional,
})
type GsmUpdateAsk = Type.Static<typeof gsmUpdateShape>

const partsOf = ({ connector, flow, sub_flow, code, message }: GsmKey): string[] => [connector, flow, sub_flow, code, message]

const idOf = (key: GsmKey): string => hash('sha256', JSON.stringify(partsOf(key)))

const byId = statement('gsm_rule_by_id', column.select(gsmRules, 'where merchant_id = $1 and rule_id = $2'))
const all = statement('gsm_rules', column.select(gsmRules, 'where merchant_id = $1 and not deleted'))

const find = async (context: Context, key: GsmKey): Promise<GsmRule | undefined> =>
  (await context.query<GsmRule>(byId, [DEPLOYMENT, idOf(key)]))[0]

export async function needRule(context: Context, key: GsmKey): Promise<GsmRule> {
  const rule = await find(context, key)
  return rule && !rule.deleted ? rule : refuse('unknown', { what: 'rule of this connector, flow, sub_flow, code and message' })
}

/** `feature_data` takes precedence over the flat members, which have the same meaning. */
function columnsOf(ask: GsmUpdateAsk): Partial<GsmRule> {
  const { feature: _one, feature_data, ...flat } = ask
  return { ...flat, ...feature_data?.retry } as Partial<GsmRule>
}

type Show = (rule: GsmRule) => unknown
type Move = 'created' | 'updated' | 'deleted'

async function write(context: Context, show: Show, before: GsmRule | null, after: GsmRule, type: Move): Promise<unknown> {
  const answer = show(after)
  const written = await context.commit(changeTo(context, gsmRules.name, { before, after }, type, { answer }))
  return written.is === 'written' ? answer : null
}

const empty = Object.fromEntries(gsmRules.names.map(name => [name, null])) as unknown as GsmRule

export async function createRule(context: Context, ask: GsmCreateAsk, show: Show): Promise<unknown> {
  const now = context.now()
  const before = await find(context, ask as GsmKey)
  const row: GsmRule = {
    ...empty,
    alternate_network_possible: false,
    ...columnsOf(ask),
    merchant_id: DEPLOYMENT,
    rule_id: idOf(ask as GsmKey),
    version: before?.version ?? 1,
    deleted: false,
    created: before?.created ?? now,
    modified_at: now,
  }
  const made = before && !before.deleted ? null : await write(context, show, before ?? null, row, 'created')
  return made ?? refuse('taken', { what: 'rule', name: `${ask.connector} ${ask.code}` })
}

/** `router_error` is cleared unless the request contains it (contract 6.6). */
export const updateRule = (context: Context, ask: GsmUpdateAsk, show: Show): Promise<unknown> =>
  move(context, ask as GsmKey, show, 'updated', { router_error: null, ...columnsOf(ask) })

export const deleteRule = (context: Context, key: GsmKey, show: Show): Promise<unknown> =>
  move(context, key, show, 'deleted', { deleted: true })

async function move(context: Context, key: GsmKey, show: Show, type: Move, change: Partial<GsmRule>): Promise<unknown> {
  for (;;) {
    const before = await needRule(context, key)
    const moved = await write(context, show, before, { ...before, ...change, modified_at: context.now() }, type)
    if (moved !== null) return moved
  }
}

export type Rules = (key: GsmKey) => GsmRule | undefined

export const gsmListQuery = strictObject({ connector: Type.Optional(key.connector) })

export async function listRules(context: Reads, { connector }: Type.Static<typeof gsmListQuery>): Promise<GsmRule[]> {
  const rules = (await context.query<GsmRule>(all, [DEPLOYMENT])).filter(rule => connector === undefined || rule.connector === connector)
  return rules.sort((a, b) => compare(partsOf(a), partsOf(b)))
}

function compare(one: readonly string[], other: readonly string[]): number {
  const i = one.findIndex((word, i) => word !== other[i])
  return i < 0 ? 0 : one[i]! < other[i]! ? -1 : 1
}

export async function readRules(context: Reads): Promise<Rules> {
  const nameOf = (key: GsmKey): string => partsOf(key).join('\n')
  const rules = new Map((await context.query<GsmRule>(all, [DEPLOYMENT])).map(rule => [nameOf(rule), rule]))
  return key => rules.get(nameOf(key))
}
