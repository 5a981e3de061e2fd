import type { Vault } from '../context.ts'
import { type Details, hiddenMembers, sealedMemberName } from './merchant.ts'

/** One of the members that hold secrets. */
export type HiddenMember = (typeof hiddenMembers)[number]

/** The owner of the details: a profile, or a merchant itself (`profile_id` null). */
type Whose = { merchant_id: string; profile_id?: string }

const recordName = ({ merchant_id, profile_id }: Whose, member: HiddenMember): string => sealedMemberName(member, profile_id ?? merchant_id)

/** These details as they are written: what is hidden of them sealed. */
export function hide(vault: Pick<Vault, 'seal'>, whose: Whose, details: Details): Details {
  const hidden = hiddenMembers.filter(member => details[member] !== undefined)
  const sealed = (member: HiddenMember) =>
    vault.seal(whose.merchant_id, recordName(whose, member), JSON.stringify(details[member])).toString('base64')
  return { ...details, ...Object.fromEntries(hidden.map(member => [member, { sealed: sealed(member) }])) }
}

/** What such a member holds, in clear; null if nothing was said. */
export function reveal<T = Details>(vault: Pick<Vault, 'open'>, whose: Whose & { details: Details }, member: HiddenMember): T | null {
  const kept = whose.details[member] as { sealed: string } | null | undefined
  return kept ? (JSON.parse(vault.open(whose.merchant_id, recordName(whose, member), Buffer.from(kept.sealed, 'base64'))) as T) : null
}

/** The key that signs what a merchant's customers bring back, and its webhooks, as existing clients verify. */
export const responseHashKey = (vault: Pick<Vault, 'open'>, whose: Whose & { details: Details }): string | null =>
  reveal<string>(vault, whose, 'payment_response_hash_key')
