import { availableParallelism } from 'node:os'

/**
 * The option for machines with at most two cores: there the parallel threads of a young-generation collection would
 * wait for a core that the database uses, and the service would wait for these threads.
 */
const alone = availableParallelism() <= 2 ? ['--no-parallel-scavenge'] : []

/**
 * Disables V8's guess about which objects will live long, so that it allocates them as old from the start. With many
 * payments in progress the guess is wrong, in about every second process and then permanently: dead old objects keep
 * young objects alive until the next full collection, and garbage collection takes 60 µs for each payment instead of
 * 20.
 */
const noGuessing = '--no-allocation-site-pretenuring'

/**
 * Disables compilation on other threads. V8 compiles hot functions on separate threads, with up to 80 MB of temporary
 * memory between lasting allocations, little of which is returned. On the main thread, compilations take turns in a
 * few megabytes (docs/design/benchmarks.md).
 */
const oneAtATime = '--no-concurrent-recompilation'

/**
 * Limits the heap of the service: V8's own options, in MB. Without limits, V8 lets a heap grow with the machine's
 * memory (314 MB resident after 10,000 payments on 24 GB); with these limits it stays at 220 to 230 MB. Young objects
 * get more space than usual, because a payment lives as long as its processor takes to answer. A deployment with very
 * many merchants should raise the first limit.
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
 * Limits the memory of the C library. The library gives each thread a heap of its own, and returns little of it: a
 * single heap for all threads saves 8 MB, and the threads of the service hardly allocate. Also, the library keeps more
 * free memory the larger the largest request was: 28 MB after requests as large as those of V8's compiler. An explicit
 * threshold stays fixed.
 */
export const memorySettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
