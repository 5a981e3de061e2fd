import { availableParallelism } from 'node:os'

/**
 * Where two cores are all there is, the helpers of a young collection wait for a core that the database holds, and
 * the service waits for them.
 */
const alone = availableParallelism() <= 2 ? ['--no-parallel-scavenge'] : []

/**
 * V8 guesses which objects will live long, and makes those old from the start. With many payments under way it
 * guesses wrong, in about every second process and then for good: what is dead and old keeps what is young alive
 * until the next full collection, and garbage costs 60 µs a payment instead of 20.
 */
const noGuessing = '--no-allocation-site-pretenuring'

/**
 * V8 compiles hot functions on threads beside, in up to 80 MB of temporary memory between allocations that stay, of
 * which little comes back. Compiled where they run they take turns in a few (docs/decisions/0106).
 */
const oneAtATime = '--no-concurrent-recompilation'

/**
 * How much memory the service may take for its heap; V8's own options, in MB. Left alone, V8 lets a heap grow with the
 * machine's memory (314 MB resident after 10,000 payments on 24 GB); held to this it stays at 220 to 230 MB. Young
 * objects get more room than usual, because a payment lives as long as its processor takes to answer. A deployment
 * with very many merchants raises the first.
 */
export const memoryFlags = [
  '--max-old-space-size=384',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  noGuessing,
  oneAtATime,
  ...alone,
]

/**
 * The C library gives each thread a heap of its own, of which little comes back: one for all is 8 MB less, and our
 * threads hardly allocate. And it keeps the more for itself the larger what it was once asked for: as large as V8's
 * compiler asks, 28 MB. Where the threshold is said it stays what it is.
 */
export const memorySettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
