import type { ClaimLimits, Held } from './delivery-queue.ts'

/** The number of concurrent calls to endpoints that answer in time; as many again to those that were late recently. */
const PLACES = 256
const LATE_PLACES = 64
const LATE_PLACES_OF_MERCHANT = 8
/** An endpoint is late after this time. If it never answered, its calls end then, but for one a minute. */
const LATE_MS = 3_000
const FULL_EVERY_MS = 60_000
/** The number of concurrent calls that an endpoint gets at first; each answer in time adds one. */
const FIRST = 2
const SLOW = 4
/** An endpoint is forgotten after this time without a call, or if more than this number of endpoints are known. */
const ON_TIME_KEPT_MS = 60_000
const LATE_KEPT_MS = 3_600_000
const MOST_KNOWN = 2_000

/** The recent behavior of an endpoint. `full_at`: the start of its last call with the full time limit. */
type Seen = { merchant_id: string; is: 'on time' | 'slow' | 'silent'; room: number; at: number; full_at: number }

const add = (counts: Map<string, number>, name: string, more: number): void => {
  const now = (counts.get(name) ?? 0) + more
  if (now === 0) counts.delete(name)
  else counts.set(name, now)
}

/** Keeps each endpoint's recent behavior, the late ones in the order of their turns. `isHeld`: is being called. */
function openSeen(monotonic: () => number, isHeld: (endpoint_id: string) => boolean) {
  const seen = new Map<string, Seen>()

  return {
    seen: seen as ReadonlyMap<string, Readonly<Seen>>,

    isLate: (endpoint_id: string): boolean => (seen.get(endpoint_id)?.is ?? 'on time') !== 'on time',

    forget(): void {
      const now = monotonic()
      for (const [endpoint_id, { is, at }] of seen) {
        const old = now - at > (is === 'on time' ? ON_TIME_KEPT_MS : LATE_KEPT_MS)
        if (isHeld(endpoint_id) || !(old || seen.size > MOST_KNOWN)) continue
        seen.delete(endpoint_id)
      }
    },

    moveToEnd(endpoint_id: string): void {
      const one = seen.get(endpoint_id)!
      seen.delete(endpoint_id)
      seen.set(endpoint_id, one)
    },

    within(endpoint_id: string): number | undefined {
      const one = seen.get(endpoint_id)
      if (one?.is !== 'silent') return undefined
      if (monotonic() - one.full_at < FULL_EVERY_MS) return LATE_MS
      one.full_at = monotonic()
      return undefined
    },

    /** Notes the behavior of an endpoint: how long the call took, and whether there was an answer. */
    note({ merchant_id, endpoint_id }: Held, took_ms: number, answered: boolean): void {
      const before = seen.get(endpoint_id)
      const at = monotonic()
      const is = took_ms < LATE_MS ? 'on time' : answered ? 'slow' : 'silent'
      const grown = before?.is === 'on time' ? Math.min(before.room + 1, PLACES) : FIRST + 1
      const room = is === 'on time' ? grown : is === 'slow' ? SLOW : 1
      const full_at = before?.is === 'silent' ? before.full_at : at
      seen.set(endpoint_id, { merchant_id, is, room, at, full_at })
    },
  }
}

/** Keeps the merchant, and for each merchant the endpoint, after which the next claim begins. */
function openCursor() {
  let cursor = ''
  const afters = new Map<string, string>()

  return {
    at: (): string => cursor,
    afters: afters as ReadonlyMap<string, string>,
    /** True: the claim began in the middle and found nothing, so lines before its beginning may be due. */
    ended(claim: ClaimLimits, lines: readonly Held[]): boolean {
      const before = cursor !== '' || afters.size > 0
      const last = lines.reduce((last, { merchant_id }) => (merchant_id > last ? merchant_id : last), '')
      const isCut = lines.length >= claim.all
      cursor = isCut ? last : ''
      if (lines.length === 0) afters.clear()
      for (const [merchant_id, group] of Map.groupBy(lines, line => line.merchant_id)) {
        const room = claim.merchants[merchant_id]?.room ?? claim.share
        const after = group.reduce((after, { endpoint_id }) => (endpoint_id > after ? endpoint_id : after), '')
        if (group.length >= room || (isCut && merchant_id === last)) afters.set(merchant_id, after)
        else afters.delete(merchant_id)
      }
      return before && lines.length === 0
    },
  }
}

/**
 * Decides which endpoints are called next, fairly by merchant, then by endpoint. One claim takes half of the free
 * places, a merchant a quarter and an endpoint an eighth, including the calls that they already have; therefore a
 * merchant without calls always finds room. A claim continues after the one before. An unknown endpoint begins with
 * two calls. A late endpoint shares a few places with all other late endpoints.
 */
export function openEndpointLimiter(monotonic: () => number) {
  const holding = new Map<string, { merchant_id: string; calls: number }>()
  const { seen, isLate, forget, moveToEnd, within, note } = openSeen(monotonic, endpoint_id => holding.has(endpoint_id))
  const { at, afters, ended } = openCursor()

  /** Counts the calls under way to late endpoints, or to those in time: in total and by merchant. */
  function underWay(late: boolean): { all: number; merchants: Map<string, number> } {
    const merchants = new Map<string, number>()
    let all = 0
    for (const [endpoint_id, { merchant_id, calls }] of holding) {
      if (isLate(endpoint_id) !== late) continue
      all += calls
      add(merchants, merchant_id, calls)
    }
    return { all, merchants }
  }

  /** Returns the limits of a claim for endpoints that answer in time, or null if there is no room. */
  function rooms(): ClaimLimits | null {
    const { all, merchants } = underWay(false)
    const free = PLACES - all
    if (free <= 0) return null
    forget()
    const [each, share] = [Math.ceil(free / 8), Math.ceil(free / 4)]
    const endpoints: Record<string, number> = {}
    for (const [endpoint_id, { calls }] of holding) endpoints[endpoint_id] = Math.max(0, Math.min(FIRST, each) - calls)
    for (const [endpoint_id, { is, room }] of seen)
      endpoints[endpoint_id] = is === 'on time' ? Math.max(0, Math.min(room, each) - (holding.get(endpoint_id)?.calls ?? 0)) : 0
    const of: ClaimLimits['merchants'] = {}
    for (const [merchant_id, calls] of merchants) of[merchant_id] = { room: Math.max(0, share - calls) }
    for (const [merchant_id, after] of afters) of[merchant_id] = { room: share, ...of[merchant_id], after }
    return { all: Math.ceil(free / 2), share, each: Math.min(FIRST, each), endpoints, merchants: of, cursor: at() }
  }

  /** Returns the limits of a claim for late endpoints, beginning with the endpoint whose last turn was longest ago. */
  function lateRooms(): ClaimLimits | null {
    const { all, merchants } = underWay(true)
    const endpoints: Record<string, number> = {}
    let free = LATE_PLACES - all
    for (const [endpoint_id, one] of seen) {
      if (free <= 0) break
      const used = merchants.get(one.merchant_id) ?? 0
      const room = Math.min(one.room - (holding.get(endpoint_id)?.calls ?? 0), LATE_PLACES_OF_MERCHANT - used, free)
      if (one.is === 'on time' || room <= 0) continue
      endpoints[endpoint_id] = room
      free -= room
      merchants.set(one.merchant_id, used + room)
    }
    const names = Object.keys(endpoints)
    if (names.length === 0) return null
    // Endpoints that had a turn go to the end of the order, whether or not a delivery was due.
    for (const endpoint_id of names) moveToEnd(endpoint_id)
    return { all: LATE_PLACES, share: LATE_PLACES, each: 0, endpoints, merchants: {}, cursor: '' }
  }

  return {
    rooms,
    lateRooms,
    ended,
    within,
    note,
    begin({ merchant_id, endpoint_id }: Held): void {
      const held = holding.get(endpoint_id)
      if (held) held.calls++
      else holding.set(endpoint_id, { merchant_id, calls: 1 })
    },
    end({ endpoint_id }: Held): void {
      const held = holding.get(endpoint_id)
      if (held && --held.calls === 0) holding.delete(endpoint_id)
    },
  }
}

export type EndpointLimiter = ReturnType<typeof openEndpointLimiter>
