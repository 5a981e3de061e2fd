import type { World } from '../world.ts'

/** The caller's own x-request-id if it is sane, else a version 7 UUID (time-ordered). */
export function requestId(given: string | string[] | undefined, world: Pick<World, 'now' | 'random'>): string {
  if (typeof given === 'string' && /^[A-Za-z0-9_.:-]{1,128}$/.test(given)) return given
  const bytes = world.random(10)
  bytes[0] = (bytes[0]! & 0x0f) | 0x70
  bytes[2] = (bytes[2]! & 0x3f) | 0x80
  const hex = Date.parse(world.now()).toString(16).padStart(12, '0') + bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
