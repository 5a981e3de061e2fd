import { availableParallelism } from 'node:os'

/** Where two cores are all there is, the helpers of a young collection wait for a core that the database holds, and the service waits for them. */
const alone = availableParallelism() <= 2 ? ['--no-parallel-scavenge'] : []

/**
 * How much memory the service may take for its heap; V8's own options, in MB. Left alone, V8 lets a heap grow with the machine's memory (314 MB resident after 10,000 payments on 24 GB); held to this it stays at
 * 210 MB, for a tenth more processor time at 256 clients. Young objects get more room than usual, because a payment lives as long as its processor takes to answer. Whoever serves very many
 * merchants raises the first.
 */
export const memoryFlags = ['--max-old-space-size=384', '--min-semi-space-size=32', '--max-semi-space-size=32', ...alone]
