import { parseArgs } from 'node:util'

export const parts = ['payments', 'limits', 'yardstick', 'confirm', 'retrieve', 'vault'] as const
export type Part = (typeof parts)[number]

/** What is measured if nothing is said: all but what only the vault's own work asks for. */
const usual = parts.filter(part => part !== 'vault')

export type Options = {
  rounds: number
  clients: number[]
  /** Seconds of each point: left out, then measured. */
  warmUp: number
  seconds: number
  only: Part[]
  /** Seconds that a point may wait for others to be quiet, and be measured again if they were not. */
  patience: number
  /** A file for the figures of every single point. */
  json: string | null
  /** A folder for a CPU profile of the service; nothing else is measured then. */
  profile: string | null
  /** Nothing is measured but what routing costs a payment. */
  routing: boolean
  /** Nothing is measured but webhooks; while so many wait, payments again. Null: something else. */
  deliveries: number | null
  /** Nothing is measured but lists of so many payments. */
  lists: number | null
  /** A folder where they are kept for the next time. */
  kept: string | null
}

export const help = `npm run bench -- [options]
  --quick               one round of 2-second points, for development
  --rounds N            rounds (5); figures are medians of them
  --clients 1,16        numbers of clients (1,16,64,256)
  --only PART,…         ${parts.join(', ')}
  --patience SECONDS    at each point, wait so long for other programs to be quiet, and repeat it if they were not (0)
  --json FILE           every single point, as JSON
  --profile DIR         nothing but a CPU profile of the service at the first number of --clients (64), and what it says (with --only vault: paid by saved cards)
  --routing             nothing but what routing costs a payment, without a service: CPU of one evaluation by kind of rules
  --deliveries          nothing but webhooks: how many a second, what they cost payments, and what a backlog does to them
  --backlog N           how many wait then (1,000,000, which takes 2 GB of disk)
  --lists N             nothing but what lists cost where there are N payments (10000000: minutes, and 10 GB of disk), filter by filter
  --kept DIR            the payments of --lists are kept in this folder, and found there the next time`

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
      lists: { type: 'string' },
      kept: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const whole = (name: string, text: string, most: number): number => {
    const number = Number(text)
    if (!Number.isInteger(number) || number < 1 || number > most)
      throw new Error(`${name} ${text}: a whole number from 1 to ${most} is needed`)
    return number
  }
  const clients = (values.clients ?? (values.profile ? '64' : '1,16,64,256')).split(',').map(text => whole('--clients', text, 300))
  const only = (values.only ?? usual.join(',')).split(',').map(word => {
    const part = parts.find(one => one === word)
    if (!part) throw new Error(`--only ${word}: one of ${parts.join(', ')} is needed`)
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
    lists: values.lists === undefined ? null : whole('--lists', values.lists, 100_000_000),
    kept: values.kept ?? null,
  }
}
