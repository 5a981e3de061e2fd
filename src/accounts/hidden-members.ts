import type { Vault } from '../world.ts'
import { type Details, hiddenMembers, hiddenName } from './merchant.ts'

/** One of the members that hold secrets. */
export type HiddenMember = (typeof hiddenMembers)[number]

/** Whose details they are: a profile's, or a merchant's own (`profile_id` null). */
type Whose = { merchant_id: string; profile_id?: string }

const recordName = ({ merchant_id, profile_id }: Whose, member: HiddenMember): string => hiddenName(member, profile_id ?? merchant_id)

/** These details as they are written: what is hidden of them sealed. */
export function hide(vault: Pick<Vault, 'seal'>, whose: Whose, details: Details): Details {
  const hidden = hiddenMembers.filter(member => details[member] !== undefined)
  const sealed = (member: HiddenMember) =>
    vault.seal(whose.merchant_id, recordName(whose, member), JSON.stringify(details[member])).toString('base64')
  return { ...details, ...Object.fromEntries(hidden.map(member => [member, { sealed: sealed(member) }])) }
}

/** What such a member holds, in clear; null if nothing was said. */
export function reveal(vault: Pick<Vault, 'open'>, whose: Whose & { details: Details }, member: HiddenMember): Details | null {
  const kept = whose.details[member] as { sealed: string } | undefined
  return kept ? (JSON.parse(vault.open(whose.merchant_id, recordName(whose, member), Buffer.from(kept.sealed, 'base64'))) as Details) : null
}
