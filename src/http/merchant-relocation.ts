import type { Merchant } from '../accounts/merchant.ts'
import { Refusal } from '../base/refusal.ts'
import type { Endpoint, Result } from './endpoint.ts'

type Moving = NonNullable<Merchant['moving']>

const messages: Record<Moving['state'], string> = {
  leaving: 'This merchant account is being moved to another deployment and takes no changes for the moment',
  arriving: 'This merchant account is being moved to this deployment and is not served here yet',
  moved: 'This merchant account has moved to another deployment',
}

/** For a merchant that is moving: repeated later, the request reaches the merchant's new place. */
export function whileMoving({ state, address }: Moving): Refusal {
  const to = state === 'moved' && address !== null ? { help: `Send its requests to ${address}` } : {}
  return new Refusal('unavailable', { problem: messages[state] + (to.help ? `: ${address}` : ''), ...to })
}

/** Refuses (HE_00) requests not served here: all, or, before the move, writing ones. Redirects customers. */
export function elsewhere(merchant: Pick<Merchant, 'moving'> | null, { method, auth }: Endpoint, url: string): Result | null {
  const moving = merchant?.moving
  if (!moving || (moving.state === 'leaving' && method === 'GET')) return null
  if (moving.state === 'moved' && moving.address !== null && method === 'GET' && auth.credential === 'nothing')
    return { redirect: moving.address + url }
  throw whileMoving(moving)
}
