import { parseArgs } from 'node:util'
import { replaceTheNetwork } from './network.ts'
import type { Options, Trouble } from './simulate.ts'
import { realMilliseconds, replaceTheWorld } from './world.ts'

// One simulation, in this process alone: its result is one line of JSON. `run.ts` starts it.

replaceTheWorld()
replaceTheNetwork()
const { optionsOf, simulate, troubles } = await import('./simulate.ts')

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string' },
    clients: { type: 'string' },
    troubles: { type: 'string' },
    everywhere: { type: 'boolean' },
    loud: { type: 'boolean' },
  },
})
const begun = realMilliseconds()
const drawn = optionsOf(Number(values.seed))
const options: Options = {
  ...drawn,
  ...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
  ...(values.clients !== undefined && { clients: Number(values.clients) }),
  ...(values.troubles !== undefined && { troubles: troubles.filter(one => values.troubles!.split(',').includes(one)) as Trouble[] }),
  ...(values.everywhere && { everywhere: true }),
}
process.on('unhandledRejection', error => {
  process.stdout.write(`${JSON.stringify({ options, found: [`a promise was rejected, and nobody heard: ${(error as Error)?.stack}`], fingerprint: '', hours: 0 })}\n`)
  process.exit(0)
})
const { said, ...outcome } = await simulate(options).catch((error: Error) => ({ found: [`the simulation ended: ${error.stack}`], fingerprint: '', hours: 0, said: [] }))
if (values.loud) for (const words of said) process.stderr.write(`${words}\n`)
process.stdout.write(`${JSON.stringify({ options, ...outcome, ms: realMilliseconds() - begun })}\n`)
process.exit(0)
