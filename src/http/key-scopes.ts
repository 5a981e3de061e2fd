import { refuse } from '../base/refusal.ts'
import type { Doer } from '../users/person.ts'
import { permissions } from '../users/roles.ts'
import type { Auth } from './auth.ts'

// The scopes of API keys: the same as the permissions of people.

/** Refuses (IR_22) a key that has scopes, but not the scope that the operation needs. */
export function checkScopes({ permission: needed }: Auth, scopes: ReadonlySet<string>): void {
  if (needed === null || scopes.has(needed)) return
  refuse('forbidden', {
    problem: needed === 'deployment' ? 'This operation requires a key without scopes' : `This operation requires the scope ${needed}`,
    help: 'Use another key, or create one that has it: see `scopes` of `POST /api_keys/{merchant_id}`',
  })
}

/**
 * A key must not do more than its creator. Returns the requested scopes, else the person's permissions (undefined:
 * every one). Refuses (IR_22) a scope that the person lacks.
 */
export function scopesFor(person: Doer, asked: readonly string[] | undefined): readonly string[] | undefined {
  const own: ReadonlySet<string> = person.permissions
  if (asked === undefined) return permissions.every(one => own.has(one)) ? undefined : permissions.filter(one => own.has(one))
  const more = asked.find(one => !own.has(one))
  if (more === undefined) return asked
  const message = `You cannot create a key with the scope ${more}: your role, ${person.role}, does not have it`
  return refuse('forbidden', { problem: message, help: 'Ask an owner of the merchant' })
}

/** Refuses (IR_22) extending a key that may do more than the person. Scopes null: every scope. */
export function checkProlongs(person: Doer, scopes: readonly string[] | null): void {
  const own: ReadonlySet<string> = person.permissions
  const more = (scopes ?? permissions).find(one => !own.has(one))
  if (more === undefined) return
  const message = `You cannot change the expiration of a key with the scope ${more}: your role, ${person.role}, does not have it`
  refuse('forbidden', { problem: message, help: 'Ask an owner of the merchant' })
}
