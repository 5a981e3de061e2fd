import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Behaviour, cards as sandbox } from '../sandbox/cards.ts'
import { type ProfileSetting, profileSettings } from '../src/accounts/profile-settings.ts'
import { classes, eventCatalogue as eventTypes } from '../src/base/event-types.ts'
import { finals, type Grid, statesOf } from '../src/base/lifecycle.ts'
import { type RefusalName, refusalCatalogue, templatesOf } from '../src/base/refusal.ts'
import { settings } from '../src/config.ts'
import { disputeLifecycle, stageLifecycle, statuses as statusesOfDisputes } from '../src/disputes/lifecycle.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { mandateLifecycle } from '../src/payment-methods/mandate.ts'
import { chapters } from '../src/payments/fields/all.ts'
import { allowedStatuses, lifecycle, refusedAs, statuses } from '../src/payments/lifecycle.ts'
import {
  allowedStatuses as payoutAllowedStatuses,
  lifecycle as payoutLifecycle,
  statuses as payoutStatuses,
} from '../src/payouts/lifecycle.ts'
import { refundLifecycle, refundStatuses } from '../src/refunds/lifecycle.ts'
import { addingPage } from './adding.ts'
import { bridgeOpenapi } from './bridge/openapi.ts'
import { chartFolder, valuesSchema } from './chart/schema.ts'
import { connectorsPage } from './connectors-page.ts'
import { fieldColumns, fieldRows, shapeIn } from './fields-page.ts'
import { jsonLines } from './lines.ts'
import { code, page, table } from './markdown.ts'
import { refusalsOf } from './openapi/errors.ts'
import { coverageList, keptList } from './openapi/guide.ts'
import { openapi } from './openapi/openapi.ts'
import { tablesPage } from './tables-page.ts'
import { testCards } from './test-cards.ts'

/**
 * Writes all that is generated from the sources and kept: `docs/generated/` (the tables as pages for people), the
 * example answers, and others. Run `npm run docs` after a change of a table or of a page's module; a test fails until
 * then.
 */

/** The folder of the pages. */
export const folder = join(import.meta.dirname, '..', 'docs', 'generated')

/** Groups values by a word, in the order in which the words first occur. */
function grouped<T>(values: readonly T[], by: (value: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const value of values) groups.set(by(value), [...(groups.get(by(value)) ?? []), value])
  return [...groups]
}

/**
 * Returns a grid as a diagram, with one arrow for each pair of states, named after all moves from one to the other.
 */
function diagram(grid: Grid, starts: readonly string[]): string {
  const arrows = Object.entries(grid).flatMap(([state, moves]) =>
    grouped(Object.entries(moves), ([, next]) => next).map(
      ([next, all]) => `  ${state} --> ${next}: ${all.map(([move]) => move.replaceAll('_', ' ')).join(', ')}`,
    ),
  )
  const lines = [
    'stateDiagram-v2',
    ...starts.map(state => `  [*] --> ${state}`),
    ...arrows,
    ...finals(grid).map(state => `  ${state} --> [*]`),
  ]
  return `\`\`\`mermaid\n${lines.join('\n')}\n\`\`\``
}

const moves = (grid: Grid): string =>
  table(
    ['state', 'what happened', 'next state'],
    Object.entries(grid).flatMap(([state, all]) => {
      const entries = Object.entries(all)
      return entries.length === 0 ? [[code(state), 'final', '']] : entries.map(([move, next]) => [code(state), code(move), code(next)])
    }),
  )

/** Returns the table of allowed operations. `refused`: the text for an operation that a status does not allow. */
const mayBeAsked = (grid: Grid, asked: Readonly<Record<string, readonly string[]>>, refused: (name: string) => string): string =>
  table(
    ['status', ...Object.keys(asked)],
    statesOf(grid).map(status => [
      code(status),
      ...Object.entries(asked).map(([name, allowed]) => (allowed.includes(status) ? 'yes' : refused(name))),
    ]),
  )

function states(): string {
  const { lapse: _lapse, ...asked } = allowedStatuses
  return page(
    'States',
    'The lifecycles of payments, refunds, payouts, disputes and mandates. Transitions that are not listed are not allowed.',
    '## Payments',
    'A payment created with `confirm: true` begins as `processing`; otherwise as `requires_confirmation` with a payment method, or as `requires_payment_method` without one.',
    diagram(lifecycle, ['requires_payment_method', 'requires_confirmation', 'processing']),
    moves(lifecycle),
    '### Allowed operations',
    'The operations that each status allows: yes, or the error code (400) of the refusal, which changes nothing. The table above shows the resulting status. Retrieving is always allowed. A `failed` payment can also be confirmed again while `manual_retry_allowed` is true. While another operation on the payment is in progress, the response is 422 HE_00 with `Retry-After`.',
    mayBeAsked(lifecycle, asked, name => refusedAs(name as keyof typeof asked)),
    '## Refunds',
    diagram(refundLifecycle, ['pending']),
    moves(refundLifecycle),
    '## Payouts',
    'A payout begins as `requires_confirmation` with a payout method, or as `requires_payout_method_data` without one; created with `confirm: true`, as `requires_fulfillment`, or with `auto_fulfill: true` as `pending`.',
    diagram(payoutLifecycle, ['requires_payout_method_data', 'requires_confirmation', 'requires_fulfillment', 'pending']),
    moves(payoutLifecycle),
    '### Allowed operations on a payout',
    'Once a payout is `initiated`, an update can change only metadata and merchant_order_reference_id.',
    mayBeAsked(payoutLifecycle, payoutAllowedStatuses, () => '—'),
    table(
      ['status', 'means', 'what to do'],
      Object.entries(payoutStatuses).map(([status, { description, nextStep }]) => [code(status), description, nextStep]),
    ),
    '## Disputes',
    'A dispute has a stage, which only advances, and a status within the stage; a new stage can begin with any status. Processors report both; for manually recorded disputes, the merchant does.',
    diagram(stageLifecycle, ['pre_dispute', 'dispute']),
    moves(stageLifecycle),
    diagram(disputeLifecycle, ['dispute_opened']),
    moves(disputeLifecycle),
    '## Mandates',
    diagram(mandateLifecycle, ['active']),
    moves(mandateLifecycle),
  )
}

function errors(): string {
  const names = Object.keys(refusalCatalogue) as RefusalName[]
  const operations = (name: RefusalName): string => {
    const all = endpoints.filter(endpoint => refusalsOf(endpoint).includes(name)).map(endpoint => endpoint.name)
    return all.length === endpoints.length ? 'every operation' : all.map(code).join(', ') || 'URLs without an operation'
  }
  const rows = names.map(name => {
    const { status, code: word, type } = refusalCatalogue[name]
    const { message, help, members } = templatesOf(name)
    const retry = 'retryAfter' in refusalCatalogue[name] ? `; \`Retry-After: ${refusalCatalogue[name].retryAfter}\`` : ''
    const more = members.length > 0 ? `; also ${members.map(code).join(', ')}` : ''
    return { name, row: [String(status), code(word), code(type), `${message}${more}${retry}`, help], used: operations(name) }
  })
  return page(
    'Errors',
    'All error responses: `{"error": {"type", "error_type", "code", "message", "help", …}}`. `message` is the text that clients of this ecosystem expect; `help` explains the error and how to fix it. Words in braces are values of the request. A decline by a processor is not an error: it is shown on the payment.',
    table(
      ['status', 'code', 'type', 'message', 'help', 'name'],
      rows.map(({ name, row }) => [...row, code(name)]),
    ),
    '## Errors by operation',
    table(
      ['name', 'operations'],
      rows.map(({ name, used }) => [code(name), used]),
    ),
  )
}

function kept(): string {
  return page(
    'Kept only',
    'Parameters that are accepted for existing clients but have no effect yet. All other accepted parameters have an effect or describe the order; unsupported parameters are refused by name (IR_19). Captures and cancels ignore unknown parameters, unless their names contain "amount".',
    keptList(),
  )
}

function fieldsPage(): string {
  const rows = fieldRows()
  return page(
    'Fields of a payment',
    'Every field of a payment: which operations accept it, who can send it, its validation (full schemas are in the OpenAPI document), where it is stored, which processors receive it (of those that support cards; found by comparing authorizations with and without it), who sees it in responses (*otherwise*: the response has something else under its name), its effect, and a test that uses it. Every field is also tested with invalid values in `test/long/bad-input/payments.test.ts`.',
    ...Object.entries(chapters).flatMap(([title, chapter]) => [`## ${title}`, table(fieldColumns, rows(chapter))]),
  )
}

function events(): string {
  const rows = (all: Readonly<Record<string, { eventType: string | null }>>, of: string): string[][] =>
    grouped(
      Object.entries(all).flatMap(([status, { eventType }]) => (eventType ? [[status, eventType] as const] : [])),
      ([, type]) => type,
    ).map(([type, statuses]) => [code(type), of, statuses.map(([status]) => code(status)).join(', ')])
  const ofDisputes = Object.fromEntries(Object.keys(statusesOfDisputes).map(status => [status, { eventType: status }]))
  const steps = [...new Set(Object.values(lifecycle).flatMap(all => Object.keys(all)))]
  return page(
    'Events',
    '`GET /events?object_id=…` lists every change of a payment, including its refunds and disputes, or of a payout. Changes with an `event_type` are sent to the merchant and increment `sequence`. Every change increments `version`.',
    '## Events sent to merchants (`event_type`)',
    table(
      ['event type', 'object', 'status'],
      [...rows(statuses, 'payment'), ...rows(refundStatuses, 'refund'), ...rows(payoutStatuses, 'payout'), ...rows(ofDisputes, 'dispute')],
    ),
    '## The catalogue',
    'Endpoints and searches accept both names. A webhook contains the first as `event_type` and the second as `type`.',
    table(
      ['event type', 'dotted', 'class', 'content.type', 'means'],
      Object.entries(eventTypes).map(([name, { dotted, of, means }]) => [code(name), code(dotted), code(of), code(classes[of]), means]),
    ),
    '## Changes (`type`)',
    `A payment is \`created\`, and then moves through its states (see [states](states.md)): ${steps.map(code).join(', ')}. A change without a new state is named after its operation and the result: \`refund_sent\`, \`refund_done\`, \`capture_unknown\`.`,
  )
}

type Described = { description?: string }
function settingsPage(): string {
  return page(
    'Settings',
    'Environment variables of the service. `npm start` sets most of them; `npm start -- --help` lists its own settings.',
    table(
      ['name', 'default', 'what it does'],
      settings.map(({ name, default: usual, description }) => [code(name), usual === null || usual === '' ? '' : code(usual), description]),
    ),
    '## Business profile settings',
    'Settings of a business profile (`POST /account/{merchant_id}/business_profile`). Full schemas are in the OpenAPI document.',
    table(
      ['name', 'what it is', 'default', 'who sets it', 'what it does'],
      Object.entries<ProfileSetting>(profileSettings).map(
        ([name, { shape, default: usual, levels = ['profile'], inherited, settableBy, acceptedIn, storedOnly, description }]) => [
          code(name),
          shapeIn(shape),
          usual === undefined ? '' : code(JSON.stringify(usual)),
          [
            `the ${levels.join(', else the ')}`,
            ...(inherited ? ['a new profile has its merchant’s'] : []),
            ...(settableBy ? ['with the admin key'] : []),
            ...(acceptedIn ? [`by ${acceptedIn.replace(/^update$/, 'an update')}`] : []),
          ].join('; '),
          storedOnly ? `Nothing yet: ${storedOnly}` : (description ?? (shape as Described).description ?? 'Returned as sent'),
        ],
      ),
    ),
  )
}

function coverage(): string {
  return page(
    'Coverage',
    "Operations of the ecosystem's API (the open-source Hyperswitch v1) that are supported, and those that are not yet. Additional operations of this service are not listed.",
    coverageList(),
  )
}

function cardsPage(rows: string): string {
  return page(
    'Test cards',
    "The test cards of the sandbox processor, and their results for merchants. For the processor's side, see [its cards](sandbox-cards.md).",
    'For payouts, every payout method behaves like the card whose number ends in the same four characters (for an email address, those before the @). For example, an IBAN ending in 0002 is declined; `ada0713@example.com` is paid, and the money is returned after three days; a payout method ending in 0432 is paid, but the result is never reported.',
    rows,
  )
}

function sandboxCards(): string {
  const rows = (isFault: boolean) =>
    Object.values(sandbox)
      .filter(({ does }: { does: Behaviour }) => (does.fault !== undefined) === isFault)
      .map(({ numbers, outcome }) => [numbers.join(', '), outcome])
  return page(
    'Cards of the sandbox',
    'What the sandbox does with each card number ([sandbox/README.md](../../sandbox/README.md)).',
    table(['number', 'what happens'], rows(false)),
    '## Simulated faults',
    table(['number', 'fault'], rows(true)),
  )
}

const cards = (): string => table(['number', 'what happens'], testCards())
const openapiPage = (): string => `${jsonLines(openapi(cards()), 3)}\n`

/** Returns every page by its file name. The same tables give the same bytes. */
export function pages(): Record<string, string> {
  return {
    'bridge-openapi.json': `${jsonLines(bridgeOpenapi(), 3)}\n`,
    'connectors.md': connectorsPage(),
    'coverage.md': coverage(),
    'errors.md': errors(),
    'events.md': events(),
    'fields.md': fieldsPage(),
    'kept-only.md': kept(),
    'openapi.json': openapiPage(),
    'sandbox-cards.md': sandboxCards(),
    'settings.md': settingsPage(),
    'states.md': states(),
    'tables.md': tablesPage(),
    'test-cards.md': cardsPage(cards()),
  }
}

/** Records the example answers: a test calls every operation of a service, and writes what it answers. */
async function recordAnswers(): Promise<void> {
  const child = spawn(process.execPath, ['test/run.ts', 'tools/answers.test.ts', '--record'], {
    cwd: join(folder, '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (status !== 0) throw new Error(`${output}\nThe example answers are not recorded`)
}

if (import.meta.main) {
  mkdirSync(folder, { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const recorded = recordAnswers()
  const all = pages()
  for (const file of readdirSync(folder)) if (!(file in all)) rmSync(join(folder, file))
  for (const [file, text] of Object.entries(all)) write(file, text)
  writeFileSync(join(folder, '..', 'adding.md'), addingPage())
  writeFileSync(join(chartFolder, 'values.schema.json'), valuesSchema())
  await recorded
  write('openapi.json', openapiPage())
  process.stdout.write(`${Object.keys(all).length} pages in docs/generated, and the example answers\n`)
}
