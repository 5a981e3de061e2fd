import type { Vault } from '../context.ts'
import { type Details, hiddenMembers, sealedMemberName } from './merchant.ts'

export type HiddenMember = (typeof hiddenMembers)[number]

/** A profile, or the merchant itself if `profile_id` is absent. */
type Owner = { merchant_id: string; profile_id?: string }

const recordName = ({ merchant_id, profile_id }: Owner, member: HiddenMember): string => sealedMemberName(member, profile_id ?? merchant_id)

export function hide(vault: Pick<Vault, 'seal'>, owner: Owner, details: Details): Details {
  const hidden = hiddenMembers.filter(member => details[member] !== undefined)
  const sealed = (member: HiddenMember) =>
    vault.seal(owner.merchant_id, recordName(owner, member), JSON.stringify(details[member])).toString('base64')
  return { ...details, ...Object.fromEntries(hidden.map(member => [member, { sealed: sealed(member) }])) }
}

export function reveal<T = Details>(vault: Pick<Vault, 'open'>, owner: Owner & { details: Details }, member: HiddenMember): T | null {
  const kept = owner.details[member] as { sealed: string } | null | undefined
  return kept ? (JSON.parse(vault.open(owner.merchant_id, recordName(owner, member), Buffer.from(kept.sealed, 'base64'))) as T) : null
}

/** Signs return URLs and webhooks in the way that existing clients verify. */
export const responseHashKey = (vault: Pick<Vault, 'open'>, owner: Owner & { details: Details }): string | null =>
  reveal<string>(vault, owner, 'payment_response_hash_key')
