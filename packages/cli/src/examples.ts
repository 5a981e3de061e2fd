import type { Command } from 'commander'

/** The examples of each command, which its help shows. Lines fit on a terminal of 80 columns. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  init: ['init shop --framework fastify'],
  import: ['import customers customers.csv --dry-run', 'import cards cards.csv --from hyperswitch --account old=new'],
  login: ['login --url https://pay.example.com', 'login --url https://pay.example.com --profile live --no-browser'],
  logout: ['logout', 'logout --profile live'],
  listen: [
    'listen --forward-to localhost:3000/webhooks',
    'listen --forward-to localhost:3000/hooks --events payment_succeeded',
    'listen --replay 2h --json',
    'listen --print-secret',
  ],
  trigger: ['trigger payment_succeeded', 'trigger --list'],
  payments: ['payments list --status failed', 'payments show pay_…'],
  'payments list': ['payments list --status failed --limit 5', 'payments list --customer cus_ada --json'],
  'payments show': ['payments show pay_…'],
  'payments capture': ['payments capture pay_…', 'payments capture pay_… --amount 1000'],
  'payments cancel': ['payments cancel pay_…'],
  'payments refund': ['payments refund pay_…', 'payments refund pay_… --amount 500 --reason RETURN'],
  events: ['events list pay_…', 'events resend evt_…'],
  'events list': ['events list --type payment_failed', 'events list pay_…'],
  'events show': ['events show evt_…'],
  'events resend': ['events resend evt_…'],
  'events replay': ['events replay we_… --since 2h --dry-run', 'events replay we_… --since 1d --only-failed'],
  connectors: ['connectors list', 'connectors verify mca_…'],
  'connectors list': ['connectors list --merchant chairs'],
  'connectors add': ['connectors add stripe --credentials @stripe.json --label EU'],
  'connectors verify': ['connectors verify mca_…'],
  keys: ['keys list', 'keys roll snd_…'],
  'keys list': ['keys list --merchant chairs'],
  'keys create': ['keys create reports --scope payments:read', 'keys create till --expires 2030-01-01T00:00:00Z'],
  'keys roll': ['keys roll snd_…'],
  'keys revoke': ['keys revoke snd_…'],
  routing: ['routing simulate --since 2030-01-01T00:00:00Z --rules @rules.json'],
  'routing simulate': [
    'routing simulate --since 2030-01-01T00:00:00Z --algorithm routing_…',
    'routing simulate --since 2030-01-01T00:00:00Z --rules @rules.json',
  ],
  doctor: ['doctor', 'doctor --json'],
  profiles: ['profiles list', 'profiles use live'],
  'profiles add': ['profiles add ci --url https://pay.example.com --key snd_…'],
  'profiles use': ['profiles use live'],
  'profiles list': ['profiles list'],
  'profiles remove': ['profiles remove ci'],
  logs: ['logs tail --failed'],
  'logs tail': ['logs tail', 'logs tail --failed --no-follow --json'],
  open: ['open payment pay_…'],
  completion: ['completion bash', 'completion zsh', 'completion fish | source'],
}

/** Adds the examples to the help of a command and of its subcommands. `path` holds the words of the command. */
export function addExamples(command: Command, path = ''): void {
  const own = examples[path]
  if (own !== undefined)
    command.addHelpText('after', `\nExample${own.length > 1 ? 's' : ''}:\n${own.map(line => `  switchyard ${line}`).join('\n')}`)
  for (const one of command.commands) addExamples(one, `${path} ${one.name()}`.trim())
}
