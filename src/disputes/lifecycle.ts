import { type Grid, may, moves, statesThat, welcome } from '../base/lifecycle.ts'
import { type DisputeStage, type DisputeStatus, disputeStages } from '../connectors/dispute.ts'

/**
 * How a dispute moves: by its stage, which only goes on, and within a stage by its status. News of the processor and
 * of the merchant must follow both grids.
 */

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

/** Where a dispute stands. */
export type Standing = { dispute_stage: DisputeStage; dispute_status: DisputeStatus }

/** What is true of a dispute in a status. */
type Attribute =
  /** It is not answered yet: evidence may be attached until the deadline. */
  | 'awaits answer'
  /** The processor keeps the money, where the stage is one that takes it (`takesMoney`). */
  | 'money withheld'
  /** The money is gone, at any stage. */
  | 'money gone'

/** What its statuses say to merchants, who hear of each under its own name, and what is true in each (`is`). */
export const statuses: Readonly<Record<DisputeStatus, { means: string; so: string; is: readonly Attribute[] }>> = {
  dispute_opened: {
    means: 'The customer disputed the payment at their bank; the amount is withheld, except for a `pre_dispute`',
    so: 'Accept the dispute, or submit evidence before `challenge_required_by`',
    is: ['awaits answer', 'money withheld'],
  },
  dispute_expired: { means: 'The dispute was not answered in time; the customer keeps the money', so: 'Nothing', is: ['money withheld'] },
  dispute_accepted: { means: 'You accepted the dispute; the customer keeps the money', so: 'Do not refund it as well', is: ['money gone'] },
  dispute_cancelled: { means: 'The dispute was withdrawn; you keep the money', so: 'Nothing', is: [] },
  dispute_challenged: { means: 'Evidence was submitted; the bank decides', so: 'Wait', is: ['money withheld'] },
  dispute_won: { means: 'The bank decided for you; the money is returned to you', so: 'Nothing', is: [] },
  dispute_lost: { means: 'The bank decided for the customer, who keeps the money', so: 'Do not refund it as well', is: ['money gone'] },
}

/** The stages at which the money is taken from the merchant while a dispute goes on. */
const takesMoney: readonly DisputeStage[] = ['dispute', 'pre_arbitration', 'arbitration']

/**
 * Does the processor keep the money from the merchant? Where that is not sure it counts as kept: what is given back
 * twice is gone.
 */
export function isKept({ dispute_stage, dispute_status }: Standing): boolean {
  const { is } = statuses[dispute_status]
  return is.includes('money gone') || (is.includes('money withheld') && takesMoney.includes(dispute_stage))
}

/** Has it come to its end within its stage? */
export const isDecided = ({ dispute_status }: Pick<Standing, 'dispute_status'>): boolean => !may(disputeLifecycle, dispute_status, 'won')

const undecided = welcome(disputeLifecycle, 'won')
const beforeReversal = disputeStages.filter(stage => may(stageLifecycle, stage, 'reversed'))
/** What may be asked of a dispute, in which stages and statuses of it. */
export const welcomes = {
  accept: { stages: beforeReversal, statuses: undecided },
  contest: { stages: beforeReversal, statuses: undecided },
  attach: { stages: beforeReversal, statuses: statesThat(statuses, 'awaits answer') },
} as const satisfies Record<string, { stages: readonly DisputeStage[]; statuses: readonly DisputeStatus[] }>
export type DisputeAsks = keyof typeof welcomes

export const isWelcome = (asks: DisputeAsks, { dispute_stage, dispute_status }: Standing): boolean =>
  welcomes[asks].stages.includes(dispute_stage) && welcomes[asks].statuses.includes(dispute_status)

const leads = (grid: Grid, from: string, to: string): boolean => Object.values(grid[from] ?? {}).includes(to)

/** May a dispute go from the one to the other? To stay where it is it may. */
export function mayGo(from: Standing, to: Standing): boolean {
  if (from.dispute_stage !== to.dispute_stage) return leads(stageLifecycle, from.dispute_stage, to.dispute_stage)
  return from.dispute_status === to.dispute_status || leads(disputeLifecycle, from.dispute_status, to.dispute_status)
}

/** How far it has come: nothing that was heard of it takes it back. */
export const rankOf = (standing: Standing): number =>
  3 * disputeStages.indexOf(standing.dispute_stage) + (isDecided(standing) ? 2 : standing.dispute_status === 'dispute_challenged' ? 1 : 0)
