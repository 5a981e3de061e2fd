import { parseArgs } from 'node:util'

/**
 * The options of `npm test`. Tests run in processes of their own, which inherit each option as a variable; so this is
 * imported before everything that reads one.
 */

const variables = {
  sample: 'SAMPLE',
  again: 'TEST_AGAIN',
  count: 'COUNT',
  seed: 'SEED',
  steps: 'STEPS',
  rate: 'RATE',
  minutes: 'MINUTES',
  storm: 'STORM',
  mutants: 'MUTANTS',
  previous: 'PREVIOUS',
  contracts: 'CONTRACTS',
  record: 'RECORD',
  renew: 'RENEW',
  only: 'ONLY',
  whole: 'WHOLE',
  helm: 'HELM',
} as const

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...{ sample: text, count: text, seed: text, steps: text, rate: text, minutes: text, storm: text },
        ...{ mutants: text, previous: text, contracts: text, only: text, helm: text, pattern: { type: 'string', short: 't' } as const },
        ...{ again: flag, record: flag, renew: flag, whole: flag },
      },
    })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nnpm test -- --help lists the options\n`)
    process.exit(2)
  }
}

const { values, positionals } = read()
for (const [name, variable] of Object.entries(variables)) {
  const value = values[name as keyof typeof variables]
  if (value !== undefined) process.env[variable] = value === true ? '1' : String(value)
}

/** The suites and files to run. */
export const targets: readonly string[] = positionals
/** Only tests whose name matches run. */
export const pattern: string | null = values.pattern ?? null
