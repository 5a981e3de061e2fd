import Type from 'typebox'
import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, fieldName, shortText, strictObject } from '../base/shapes.ts'
import { familyNamed } from '../instruments/families.ts'
import type { Choice, Selection } from './algorithm.ts'
import { needProfile } from './algorithms.ts'
import { arrange, inOrder, picksOf } from './decide.ts'
import { failedCheckOf, PASSED } from './eligible.ts'
import { enabledIn, whyUnknown } from './known.ts'
import { readParameters } from './read.ts'
import { plainRoutingContext, type RoutingContext } from './routing-context.ts'

/** Of a payment only some parameters are given; the answer is that of the ecosystem's decision service. Pure. */

export const ruleEvaluateShape = strictObject({
  created_by: Type.String({ maxLength: 64, description: 'Business profile id, or merchant id for the default profile' }),
  payment_id: Type.Optional(boundedText(64)),
  parameters: Type.Object({}, { additionalProperties: true, description: 'Values by rule parameter (lhs): {type, value}' }),
  fallback_output: Type.Array(strictObject({ gateway_name: shortText, gateway_id: shortText }), {
    description: 'Result if no routing algorithm is active; empty: the profile’s fallback order',
  }),
})
export type RuleEvaluateAsk = Type.Static<typeof ruleEvaluateShape>

/**
 * `rule`: the rule that held. `selection`: as it was written. `evaluated`: the selected accounts, after the draw of a
 * split. `eligible`: those of them that could take such a payment.
 */
export type RuleEvaluated = {
  rule: string | null
  selection: Selection
  evaluated: readonly ConnectorAccount[]
  eligible: readonly ConnectorAccount[]
}

/** `only`: the profile that the caller is limited to, if any. */
export function evaluateRule(merchant: Merchant, ask: RuleEvaluateAsk, only: string | null): RuleEvaluated {
  const profile_id = profileOf(merchant, ask.created_by, only)
  const accounts = enabledIn(merchant, profile_id)
  const parameters = readParameters(ask.parameters, ['parameters'])
  const family = familyNamed(parameters.payment_method ?? 'card')?.is ?? null
  const routingContext: RoutingContext = {
    ...plainRoutingContext,
    amount: Number.NaN,
    currency: '',
    ...parameters,
    family,
    payment_id: ask.payment_id ?? '',
    profile_id,
  }
  const asCard = { ...routingContext, payment_method: routingContext.payment_method ?? 'card' }
  const routing = merchant.routing.get(profile_id)
  const active = routing?.active
  const picked = active ? picksOf(active)(routingContext) : null
  const fallback = inOrder(accounts, routing?.row.fallback)
  const selection = picked?.selection ?? { type: 'priority', data: requestedFallback(accounts, ask, profile_id) ?? fallback.map(choiceOf) }
  const evaluated = arrange(selection, fallback, `${routingContext.payment_id} ${active?.algorithm_id ?? 'request'}`)
  return {
    rule: picked?.rule ?? null,
    selection,
    evaluated,
    eligible: evaluated.filter(account => failedCheckOf(account, asCard) === PASSED),
  }
}

const choiceOf = ({ connector_name, merchant_connector_id }: ConnectorAccount): Choice => ({
  connector: connector_name,
  merchant_connector_id,
})

function profileOf(merchant: Merchant, created_by: string, only: string | null): string {
  if (only !== null && created_by !== only && created_by !== merchant.merchant_id)
    refuse('precondition', { problem: 'X-Profile-Id and created_by are both sent but differ' })
  if (only !== null) return only
  if (created_by !== merchant.merchant_id) return needProfile(merchant, created_by).profile_id
  return (
    merchant.default_profile ??
    refuse('unacceptable', { field: 'created_by', problem: 'must be a business profile id: the merchant has no default profile' })
  )
}

function requestedFallback(
  accounts: readonly ConnectorAccount[],
  { fallback_output }: RuleEvaluateAsk,
  profile_id: string,
): Choice[] | null {
  const choices = fallback_output.map(({ gateway_name, gateway_id }) => ({ connector: gateway_name, merchant_connector_id: gateway_id }))
  choices.forEach((one, i) => {
    const owner = `the enabled connector accounts of business profile ${profile_id}`
    const wrong = whyUnknown(accounts, one)
    if (wrong !== null) refuse('unacceptable', { field: fieldName(['fallback_output', i]), problem: `${wrong} among ${owner}` })
  })
  return choices.length > 0 ? choices : null
}
