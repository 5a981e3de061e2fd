import { openSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { DatabaseExchange } from './database.ts'
import { loadMutant } from './mutate.ts'
import { replaceTheNetwork } from './network.ts'
import type { Options } from './simulate.ts'
import { realMilliseconds, replaceRuntime } from './world.ts'

// Runs one simulation in this process and prints the result as one line of JSON. `runs.ts` starts this program.

replaceRuntime()
replaceTheNetwork()
if (process.env.MUTANT) loadMutant(process.env.MUTANT)
const { optionsOf, simulate, troubles } = await import('./simulate.ts')

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    clients: { type: 'string' },
    troubles: { type: 'string' },
    everywhere: { type: 'boolean' },
    concentrated: { type: 'boolean' },
    vault: { type: 'string' },
    crew: { type: 'string' },
    loud: { type: 'boolean' },
    said: { type: 'string' },
  },
})
/** The number of errors found that the result contains. */
const MOST_REPORTED = 10
const LONGEST = 3000

const begun = realMilliseconds()
const options = {
  ...optionsOf(Number(values.seed), values.concentrated),
  ...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
  ...(values.clients !== undefined && { clients: Number(values.clients) }),
  ...(values.troubles !== undefined && { troubles: troubles.filter(one => values.troubles!.split(',').includes(one)) }),
  ...(values.everywhere !== undefined && { everywhere: values.everywhere }),
  ...(values.crew !== undefined && { crew: values.crew as Options['crew'] }),
  ...(values.vault !== undefined && { vault: values.vault as Options['vault'] }),
}
/** The file into which the database's sessions are recorded, one line for each transaction. */
const into = values.said === undefined ? null : openSync(values.said, 'w')
const record = ({ session, messages, answer }: DatabaseExchange): unknown =>
  writeSync(into!, `${JSON.stringify({ session, messages: messages?.toString('base64'), answer: answer?.toString('base64') })}\n`)
const loud = (text: string) => void process.stderr.write(`${text}\n`)
const outcome = await simulate(options, values.loud ? loud : () => {}, into === null ? null : record).catch((error: Error) => ({
  found: [`the simulation ended: ${error.stack}`],
  fingerprint: '',
  hours: 0,
}))
const found = outcome.found.slice(0, MOST_REPORTED).map(text => text.slice(0, LONGEST))
if (outcome.found.length > MOST_REPORTED) found.push(`and ${outcome.found.length - MOST_REPORTED} more`)
const line = Buffer.from(`${JSON.stringify({ options, ...outcome, found, ms: realMilliseconds() - begun })}\n`)
for (let at = 0; at < line.length; ) at += writeSync(1, line, at)
process.exit(0)
