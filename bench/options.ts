import { parseArgs } from 'node:util'

const parts = ['payments', 'limits', 'yardstick', 'confirm', 'retrieve', 'vault'] as const
export type Part = (typeof parts)[number]

/** The parts that are measured by default: all except the one that only work on the vault needs. */
const usual = parts.filter(part => part !== 'vault')

export type Options = {
  rounds: number
  clients: number[]
  /** The seconds of each point: first the warm-up, which is not counted, then the measurement. */
  warmUp: number
  seconds: number
  only: Part[]
  /**
   * The seconds that a point may wait until other programs are idle, and during which it may be repeated if they were
   * not.
   */
  patience: number
  /** The file for the figures of every single point. */
  json: string | null
  /** The folder for a CPU profile of the service; no other measurement is made then. */
  profile: string | null
  /** Whether only the cost of routing is measured. */
  routing: boolean
  /** The webhooks in the backlog, if only webhooks are measured; otherwise null. */
  deliveries: number | null
  /** The number of events, if only `switchyard listen` is measured; otherwise null. */
  listen: number | null
  /** A file written by `json`, from which the effect of more cores is predicted; no measurement is made. */
  capacity: string | null
  /** The number of payments, if only their size on disk is measured; otherwise null. */
  storage: number | null
  /** The number of payments, if only their lists are measured; otherwise null. */
  lists: number | null
  /** The number of payments, if only the dashboard's lists are measured, in a browser; otherwise null. */
  dashboard: number | null
  /** Whether only the first field of the checkout is measured, in a browser. */
  firstField: boolean
  /** The folder that keeps the payments for the next time. */
  kept: string | null
}

export const help = `npm run bench -- [options]
Measures payments a second, their latency, CPU, memory and WAL, beside pgbench and the frozen yardstick.

  --quick               Run one round of 2-second points, for development
  --rounds N            Number of rounds; results are their medians (default: 5)
  --clients 1,16        Numbers of concurrent clients (default: 1,16,64,256)
  --only PART,…         Measure only these parts: ${parts.join(', ')} (default: all but vault)
  --patience SECONDS    Wait up to this long for other programs to become idle before each point, and repeat the point if they did not (default: 0)
  --json FILE           Write every point to this file, as JSON

These options replace the measurement above:
  --profile DIR         Write a CPU profile of the service to this folder and summarize it, at the first number of --clients (default: 64);
                        with --only vault, payments use saved cards
  --routing             Measure the CPU time of one routing evaluation by kind of rule, without a service
  --deliveries          Measure webhook deliveries a second, what they cost payments, and the effect of a backlog
  --backlog N           Number of webhooks in that backlog (default: 1000000, which needs 2 GB of disk)
  --listen N            Measure \`switchyard listen\`: events a minute while N payments are made, and as a backfill of them
  --capacity FILE       Predict what more cores and processes would carry, from what --json wrote to this file
  --storage N           Measure the bytes that N payments leave on disk, table by table, without and with a webhook
  --lists N             Measure lists of N payments, filter by filter (10000000 takes minutes and 10 GB of disk)
  --dashboard N         Measure the dashboard's lists of N payments in Chromium: from the click to the first rows
  --first-field         Measure how long the first field of the checkout takes in Chromium: element and payment link
  --kept DIR            Keep the payments of --lists or --dashboard in this folder, and reuse them the next time`

export function readOptions(args: string[]): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      clients: { type: 'string' },
      only: { type: 'string' },
      patience: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      routing: { type: 'boolean', default: false },
      deliveries: { type: 'boolean', default: false },
      backlog: { type: 'string', default: '1000000' },
      listen: { type: 'string' },
      capacity: { type: 'string' },
      storage: { type: 'string' },
      lists: { type: 'string' },
      dashboard: { type: 'string' },
      'first-field': { type: 'boolean', default: false },
      kept: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const whole = (name: string, text: string, most: number): number => {
    const number = Number(text)
    if (!Number.isInteger(number) || number < 1 || number > most)
      throw new Error(`${name} must be a whole number from 1 to ${most}, not ${text}`)
    return number
  }
  const clients = (values.clients ?? (values.profile ? '64' : '1,16,64,256')).split(',').map(text => whole('--clients', text, 300))
  const only = (values.only ?? usual.join(',')).split(',').map(word => {
    const part = parts.find(one => one === word)
    if (!part) throw new Error(`--only must be one of ${parts.join(', ')}, not ${word}`)
    return part
  })
  return {
    rounds: whole('--rounds', values.rounds ?? (values.quick ? '1' : '5'), 100),
    clients,
    warmUp: 2,
    seconds: values.quick ? 2 : 4,
    only,
    patience: values.patience === undefined ? 0 : whole('--patience', values.patience, 3600),
    json: values.json ?? null,
    profile: values.profile ?? null,
    routing: values.routing,
    deliveries: values.deliveries ? whole('--backlog', values.backlog, 10_000_000) : null,
    listen: values.listen === undefined ? null : whole('--listen', values.listen, 1_000_000),
    capacity: values.capacity ?? null,
    storage: values.storage === undefined ? null : whole('--storage', values.storage, 10_000_000),
    lists: values.lists === undefined ? null : whole('--lists', values.lists, 100_000_000),
    dashboard: values.dashboard === undefined ? null : whole('--dashboard', values.dashboard, 100_000_000),
    firstField: values['first-field'],
    kept: values.kept ?? null,
  }
}
