import { type Grid, may, moves, statesAllowing, statesThat } from '../base/lifecycle.ts'
import { type DisputeStage, type DisputeStatus, disputeStages } from '../connectors/dispute.ts'

/** For processors' news and merchants' updates: the stage, which only moves forward, and the status within it. */

export const stageLifecycle = moves({
  pre_dispute: { raised: 'dispute', second_raised: 'pre_arbitration', arbitrated: 'arbitration', reversed: 'dispute_reversal' },
  dispute: { second_raised: 'pre_arbitration', arbitrated: 'arbitration', reversed: 'dispute_reversal' },
  pre_arbitration: { arbitrated: 'arbitration', reversed: 'dispute_reversal' },
  arbitration: { reversed: 'dispute_reversal' },
  dispute_reversal: {},
})

export const disputeLifecycle = moves({
  dispute_opened: {
    challenged: 'dispute_challenged',
    won: 'dispute_won',
    lost: 'dispute_lost',
    accepted: 'dispute_accepted',
    cancelled: 'dispute_cancelled',
    expired: 'dispute_expired',
  },
  dispute_challenged: {
    won: 'dispute_won',
    lost: 'dispute_lost',
    accepted: 'dispute_accepted',
    cancelled: 'dispute_cancelled',
    expired: 'dispute_expired',
  },
  dispute_expired: {},
  dispute_accepted: {},
  dispute_cancelled: {},
  dispute_won: {},
  dispute_lost: {},
})

export type Standing = { dispute_stage: DisputeStage; dispute_status: DisputeStatus }

type Attribute =
  /** The dispute is not answered yet: evidence may be attached until the deadline. */
  | 'awaits answer'
  /** The processor withholds the money, if the stage is one that takes it (`takesMoney`). */
  | 'money withheld'
  /** The money is lost, at any stage. */
  | 'money gone'

/** Each status is also the name of its event. `description` and `nextStep` are for merchants. */
export const statuses: Readonly<Record<DisputeStatus, { description: string; nextStep: string; traits: readonly Attribute[] }>> = {
  dispute_opened: {
    description: 'The customer disputed the payment at their bank; the amount is withheld, except for a `pre_dispute`',
    nextStep: 'Accept the dispute, or submit evidence before `challenge_required_by`',
    traits: ['awaits answer', 'money withheld'],
  },
  dispute_expired: {
    description: 'The dispute was not answered in time; the customer keeps the money',
    nextStep: 'Nothing',
    traits: ['money withheld'],
  },
  dispute_accepted: {
    description: 'You accepted the dispute; the customer keeps the money',
    nextStep: 'Do not refund it as well',
    traits: ['money gone'],
  },
  dispute_cancelled: { description: 'The dispute was withdrawn; you keep the money', nextStep: 'Nothing', traits: [] },
  dispute_challenged: { description: 'Evidence was submitted; the bank decides', nextStep: 'Wait', traits: ['money withheld'] },
  dispute_won: { description: 'The bank decided for you; the money is returned to you', nextStep: 'Nothing', traits: [] },
  dispute_lost: {
    description: 'The bank decided for the customer, who keeps the money',
    nextStep: 'Do not refund it as well',
    traits: ['money gone'],
  },
}

/** The stages at which the disputed money is taken from the merchant while the dispute is open. */
const takesMoney: readonly DisputeStage[] = ['dispute', 'pre_arbitration', 'arbitration']

/** Whether the processor withholds the money; also if in doubt, because money that is given back twice is lost. */
export function isKept({ dispute_stage, dispute_status }: Standing): boolean {
  const { traits } = statuses[dispute_status]
  return traits.includes('money gone') || (traits.includes('money withheld') && takesMoney.includes(dispute_stage))
}

export const isDecided = ({ dispute_status }: Pick<Standing, 'dispute_status'>): boolean => !may(disputeLifecycle, dispute_status, 'won')

const undecided = statesAllowing(disputeLifecycle, 'won')
const beforeReversal = disputeStages.filter(stage => may(stageLifecycle, stage, 'reversed'))
export const allowed = {
  accept: { stages: beforeReversal, statuses: undecided },
  contest: { stages: beforeReversal, statuses: undecided },
  attach: { stages: beforeReversal, statuses: statesThat(statuses, 'awaits answer') },
} as const satisfies Record<string, { stages: readonly DisputeStage[]; statuses: readonly DisputeStatus[] }>
export type DisputeAction = keyof typeof allowed

export const isAllowed = (action: DisputeAction, { dispute_stage, dispute_status }: Standing): boolean =>
  allowed[action].stages.includes(dispute_stage) && allowed[action].statuses.includes(dispute_status)

const leads = (grid: Grid, from: string, to: string): boolean => Object.values(grid[from] ?? {}).includes(to)

/** Whether a dispute may move from one stage and status to another; staying in the same is allowed. */
export function mayGo(from: Standing, to: Standing): boolean {
  if (from.dispute_stage !== to.dispute_stage) return leads(stageLifecycle, from.dispute_stage, to.dispute_stage)
  return from.dispute_status === to.dispute_status || leads(disputeLifecycle, from.dispute_status, to.dispute_status)
}

/** Returns how far a dispute has progressed. News with a lower rank never moves the dispute back. */
export const rankOf = (standing: Standing): number =>
  3 * disputeStages.indexOf(standing.dispute_stage) + (isDecided(standing) ? 2 : standing.dispute_status === 'dispute_challenged' ? 1 : 0)
