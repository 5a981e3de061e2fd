import { decimal } from '@switchyard/node'
import type { Command } from 'commander'
import { moment, openDesk, whole } from './command.ts'
import { facts, show, table } from './output.ts'

const amountOf = (amount: number | null | undefined, currency: string | null | undefined): string =>
  amount === null || amount === undefined || !currency ? '' : `${decimal(amount, currency as 'EUR')} ${currency}`

const PAYMENT = ['payment_id', 'status', 'customer_id', 'description', 'connector', 'error_code', 'error_message', 'created'] as const

type Paid = { payment_id: string; status: string; amount: number; currency: string | null; [member: string]: unknown }

/** Returns the members of a payment that are printed as text. */
function paymentFacts(payment: Paid): Record<string, unknown> {
  const { amount, currency, amount_received, amount_capturable } = payment as Paid & {
    amount_received?: number
    amount_capturable?: number
  }
  const money = {
    amount: amountOf(amount, currency),
    received: amountOf(amount_received, currency),
    capturable: amountOf(amount_capturable, currency),
  }
  return {
    ...Object.fromEntries(PAYMENT.slice(0, 2).map(name => [name, payment[name]])),
    ...money,
    ...Object.fromEntries(PAYMENT.slice(2).map(name => [name, payment[name]])),
  }
}

/** Adds `switchyard payments …`. */
export function addPayments(program: Command): void {
  const payments = program.command('payments').description('list, show, capture, cancel and refund payments')
  payments
    .command('list')
    .description('the newest payments')
    .option('--limit <n>', 'so many', whole, 20)
    .option('--status <status...>', 'only of these statuses')
    .option('--customer <id>', 'only of this customer')
    .action(async (options: { limit: number; status?: string[]; customer?: string }, command: Command) => {
      const { client, screen } = openDesk(command)
      const { limit, status, customer } = options
      const page = await client().payments.list({
        limit,
        ...(status && { status: status as never }),
        ...(customer && { customer_id: customer }),
      })
      show(screen, page.data, data =>
        table(
          screen,
          ['payment', 'status', 'amount', 'connector', 'created'],
          data.map(one => [one.payment_id, one.status, amountOf(one.amount, one.currency), one.connector, one.created]),
        ),
      )
    })
  const act = (name: string, description: string) => payments.command(`${name} <payment_id>`).description(description)
  const done = (command: Command, payment: unknown) => {
    const { screen } = openDesk(command)
    show(screen, payment, one => facts(screen, paymentFacts(one as Paid)))
  }
  act('show', 'a payment').action(async (id: string, _options, command: Command) =>
    done(command, await openDesk(command).client().payments.retrieve(id)),
  )
  act('capture', 'captures an authorized payment, or a part of it')
    .option('--amount <n>', 'in the lowest denomination of its currency', whole)
    .action(async (id: string, { amount }: { amount?: number }, command: Command) =>
      done(
        command,
        await openDesk(command)
          .client()
          .payments.capture(id, amount === undefined ? {} : { amount_to_capture: amount }),
      ),
    )
  act('cancel', 'cancels a payment that is not captured').action(async (id: string, _options, command: Command) =>
    done(command, await openDesk(command).client().payments.cancel(id)),
  )
  act('refund', 'refunds a payment, or a part of it')
    .option('--amount <n>', 'in the lowest denomination of its currency', whole)
    .option('--reason <words>', 'why')
    .option('--idempotency-key <key>', 'of an earlier try that was not answered')
    .action(async (id: string, options: { amount?: number; reason?: string; idempotencyKey?: string }, command: Command) => {
      const { amount, reason, idempotencyKey } = options
      const { client, screen } = openDesk(command)
      const refund = await client().refunds.create(
        { payment_id: id, ...(amount !== undefined && { amount }), ...(reason && { reason }) },
        idempotencyKey === undefined ? {} : { idempotencyKey },
      )
      show(screen, refund, one => {
        // If the merchant requires a second approval, the answer is an approval instead of a refund.
        if (!('refund_id' in one)) return facts(screen, { ...one })
        const { refund_id, status, amount, currency, error_code, error_message } = one
        facts(screen, { refund_id, status, amount: amountOf(amount, currency), error_code, error_message })
      })
    })
}

/** Adds `switchyard events …`. */
export function addEvents(program: Command): void {
  const events = program.command('events').description('list, show, resend and replay events')
  events
    .command('list [object_id]')
    .description('the newest events, or the history of a payment')
    .option('--limit <n>', 'so many', whole, 20)
    .option('--type <type...>', 'only of these types')
    .action(async (object_id: string | undefined, { limit, type }: { limit: number; type?: string[] }, command: Command) => {
      const { client, screen } = openDesk(command)
      const page = await client().events.list({ limit, ...(type && { event_types: type }), ...(object_id !== undefined && { object_id }) })
      show(screen, page.data, data =>
        table(
          screen,
          ['event', 'type', 'object', 'created'],
          data.map(one => [one.event_id, one.event_type ?? one.type, one.object_id, one.created]),
        ),
      )
    })
  events
    .command('show <event_id>')
    .description('an event with its payload and its deliveries')
    .action(async (id: string, _options, command: Command) => {
      const { client, screen } = openDesk(command)
      show(screen, await client().events.retrieve(id), one => screen.out(`${JSON.stringify(one, null, 2)}\n`))
    })
  events
    .command('resend <event_id>')
    .description('delivers an event again to the webhook endpoints')
    .action(async (id: string, _options, command: Command) => {
      const desk = openDesk(command)
      const client = desk.client()
      const { merchant_id } = await client.events.retrieve(id)
      const attempt = await client.events.retry(merchant_id, id)
      show(desk.screen, attempt, ({ event_id, url, is_delivery_successful, response, latency_ms }) =>
        facts(desk.screen, { attempt: event_id, url, delivered: is_delivery_successful, status: response?.status_code, latency_ms }),
      )
    })
  addReplay(events)
}

type ReplayOptions = { since: string; until?: string; onlyFailed?: boolean; dryRun?: boolean }

function addReplay(events: Command): void {
  events
    .command('replay <endpoint_id>')
    .description('delivers the events of a time again to a webhook endpoint, at most 5,000, in order')
    .requiredOption('--since <time>', 'from when: 2h, 1d, or a time', moment)
    .option('--until <time>', 'until when; default: now', moment)
    .option('--only-failed', 'only those that were given up')
    .option('--dry-run', 'only count them')
    .action(async (id: string, { since, until, onlyFailed, dryRun }: ReplayOptions, command: Command) => {
      const { client, screen } = openDesk(command)
      const replayed = await client().webhookEndpoints.replay(id, {
        created_after: since,
        ...(until !== undefined && { created_before: until }),
        ...(onlyFailed && { only_failed: true }),
        ...(dryRun && { dry_run: true }),
      })
      show(screen, replayed, one => facts(screen, one))
    })
}
