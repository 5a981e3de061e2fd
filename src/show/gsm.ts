import type { GsmRule } from '../accounts/gsm.ts'

/** `feature_data` repeats the flat members (contract 6.6). */
export function showRule(rule: GsmRule): Record<string, unknown> {
  const { merchant_id: _ours, rule_id: _key, version: _count, deleted: _gone, created: _made, modified_at: _changed, ...shown } = rule
  const { alternate_network_possible, ...flat } = shown
  const { step_up_possible, clear_pan_possible, decision } = flat
  return {
    ...flat,
    feature: 'retry',
    feature_data: { retry: { step_up_possible, clear_pan_possible, alternate_network_possible, decision } },
  }
}

export const showDeletedRule = ({ connector, flow, sub_flow, code }: GsmRule) => ({
  gsm_rule_delete: true,
  connector,
  flow,
  sub_flow,
  code,
})
