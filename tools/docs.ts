import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ProfileSetting, profileSettings } from '../src/accounts/profile-settings.ts'
import { type Currency, currencies } from '../src/base/currencies.ts'
import { finals, type Grid, statesOf } from '../src/base/lifecycle.ts'
import { type RefusalName, refusalCatalogue } from '../src/base/refusal.ts'
import { settings } from '../src/config.ts'
import { documentTypes } from '../src/connectors/adyen/defense.ts'
import { alsoCalled, connectors } from '../src/connectors/all.ts'
import type { Connector } from '../src/connectors/connector.ts'
import type { Counting } from '../src/connectors/counting.ts'
import { type Offer, requiredMembers, typeOfRow } from '../src/connectors/offer.ts'
import { verbNames } from '../src/connectors/verbs.ts'
import { disputeLifecycle, stageLifecycle, statuses as statusesOfDisputes } from '../src/disputes/lifecycle.ts'
import { classes, eventCatalogue as eventTypes } from '../src/events/catalogue.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { wording } from '../src/http/error-templates.ts'
import { paymentMethodNames } from '../src/instruments/methods.ts'
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
import { fieldColumns, fieldRows, shapeIn } from './fields-page.ts'
import { jsonLines } from './lines.ts'
import { refusalsOf } from './openapi/errors.ts'
import { coverageList, keptList } from './openapi/guide.ts'
import { openapi } from './openapi/openapi.ts'
import { testCards } from './test-cards.ts'

/**
 * Writes all that is generated from the sources and kept: `docs/generated/` (the tables as pages for people), the
 * example answers, and others. Run `npm run docs` after a change of a table or of a page's module; a test fails until
 * then.
 */

/** The folder of the pages. */
export const folder = join(import.meta.dirname, '..', 'docs', 'generated')

const note = '<!-- Written by `npm run docs` from the tables in src/. Changes here are lost. -->\n'
const page = (title: string, ...parts: string[]): string => `${[`${note}# ${title}`, ...parts].join('\n\n')}\n`
const code = (text: string): string => `\`${text}\``

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

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
      Object.entries(payoutStatuses).map(([status, { means, so }]) => [code(status), means, so]),
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
    const { message, help, members } = wording(name)
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

/** The features that a connector may have: its verbs, and its look-ups. */
const abilities = [...verbNames, 'read_dispute', 'sync', 'returned', 'webhook'] as const
const hoursOf = (ms: number): string => {
  const count = Math.floor(ms / 3_600_000)
  return `${count} ${count === 1 ? 'hour' : 'hours'}`
}
function resending({ idempotent_ms }: Connector['accepts']): string {
  if (idempotent_ms === 0) return 'never'
  if (typeof idempotent_ms === 'number') return `with the same id${Number.isFinite(idempotent_ms) ? `, for ${hoursOf(idempotent_ms)}` : ''}`
  const byHours = Map.groupBy(Object.entries(idempotent_ms), ([, ms]) => hoursOf(ms))
  return `with the same id, ${[...byHours].map(([hours, all]) => `${all.map(([verb]) => code(verb)).join(', ')} for ${hours}`).join('; ')}`
}

function fieldsPage(): string {
  const rows = fieldRows()
  return page(
    'Fields of a payment',
    'Every field of a payment: which operations accept it, who can send it, its validation (full schemas are in the OpenAPI document), where it is stored, which processors receive it (of those that support cards; found by comparing authorizations with and without it), who sees it in responses (*otherwise*: the response has something else under its name), its effect, and a test that uses it. Every field is also tested with invalid values in `test/long/bad-input/payments.test.ts`.',
    ...Object.entries(chapters).flatMap(([title, chapter]) => [`## ${title}`, table(fieldColumns, rows(chapter))]),
  )
}

/** Returns a row for each type and connector, ordered by type. */
const offerRows = (all: readonly Connector[]): string[][] =>
  all
    .flatMap(({ name, accepts: { offers = {} } }) => Object.entries(offers).map(([row, offer]) => ({ type: typeOfRow(row), name, offer })))
    .sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
    .map(({ type, name, offer }) => [
      code(type),
      code(name),
      code(offer.family),
      offer.countries?.join(', ') ?? 'all',
      offer.currencies?.join(', ') ?? 'all',
      amountsOf(offer),
      (offer.capture ?? ['automatic']).map(code).join(', '),
      offer.requires?.map(one => code(requiredMembers[one])).join(', ') ?? '—',
      offer.refunds === false ? '—' : 'yes',
      againOf(offer),
      offer.decided,
    ])

const againOf = ({ recurring, setUp }: Offer): string =>
  recurring ? `yes${recurring === 'after days' ? ', decided after days' : ''}${setUp ? '; set up without a charge' : ''}` : '—'

const amountsOf = ({ least = {}, most = {} }: Offer): string =>
  [
    ...Object.entries(least).map(([currency, amount]) => `at least ${amount} ${currency}`),
    ...Object.entries(most).map(([currency, amount]) => `at most ${amount} ${currency}`),
  ].join('; ') || '—'

function connectorsPage(): string {
  const all = Object.values(connectors)
    .filter(({ name }) => !Object.hasOwn(alsoCalled, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return page(
    'Connectors',
    'The features of each processor, as implemented by its connector. A missing verb is not supported by the processor.',
    table(
      ['connector', ...abilities],
      all.map(one => [code(one.name), ...abilities.map(verb => (one[verb] ? 'yes' : '—'))]),
    ),
    table(
      ['connector', 'methods', 'capture methods', 'retries', 'lookup of requests', 'in flight at most', 'credentials'],
      all.map(({ name, accepts, credentials }) => [
        code(name),
        accepts.methods.map(code).join(', '),
        accepts.capture.map(code).join(', '),
        resending(accepts),
        accepts.lookup,
        `${accepts.in_flight_ms / 1000} s`,
        `${code(credentials.auth_type)}: ${credentials.members.map(one => `${code(one)}${called(credentials, one)}`).join(', ')}`,
      ]),
    ),
    `Customers can be authenticated in the checkout itself (native 3-D Secure, \`three_ds_invoke\`) at ${all
      .filter(({ returned }) => returned?.native)
      .map(({ name }) => code(name))
      .join(', ')}; at others by a redirect, or apart from the processor.`,
    '*In flight at most*: how long after sending a request can still arrive at the processor. Until then, "not found" is not treated as a decline.',
    '## Ways to pay',
    'Payment methods besides cards. Countries are those of the billing address. A connector that is not listed takes no other method, or all types of those in the table above.',
    table(
      ['type', 'connector', 'method', 'payers in', 'currencies', 'amounts', 'capture', 'required', 'refunds', 'charged again', 'decided'],
      offerRows(all),
    ),
    '## Evidence',
    'Evidence that can be submitted for a dispute. For processors not listed here, this service cannot contest disputes.',
    table(
      ['connector', 'files', 'texts', 'not supported'],
      all
        .filter(one => one.contest_dispute)
        .map(({ name, accepts: { evidence } }) => [
          code(name),
          evidence
            ? Object.entries(evidence.files)
                .map(([type, most]) => `${code(type)} up to ${most} bytes`)
                .join(', ')
            : 'all that the service accepts',
          evidence?.texts === false ? '—' : 'yes',
          evidence?.without?.map(code).join(', ') ?? '—',
        ]),
    ),
    'Each file is sent to Adyen as a document type, and a dispute is defended with the reason whose required documents are all present ([disputes](../design/disputes.md)). A file is sent as the first of these types that the reason accepts:',
    table(
      ['`evidence_type`', 'documents at Adyen'],
      Object.entries(documentTypes).map(([type, documents]) => [code(type), documents.map(code).join(', ')]),
    ),
    '## Money, webhooks and settings',
    table(
      ['connector', 'currencies', 'units that differ from ISO 4217', 'webhooks identify', '`metadata` of the connector account'],
      all.map(({ name, accepts, webhook, settings }) => [
        code(name),
        currenciesOf(accepts.counting),
        countedOtherwise(accepts.counting),
        webhook
          ? ['our request id', ...webhook.byReference.map(verb => `the processor’s reference of a ${code(verb)}`)].join('; ')
          : 'none',
        ['`base_url`', ...Object.entries(settings ?? {}).map(([member, { description }]) => `${code(member)}: ${description}`)].join('; '),
      ]),
    ),
    '## Not offered',
    table(
      ['connector', 'verbs', 'methods', 'capture methods', 'currencies'],
      all.map(one => [
        code(one.name),
        missing(abilities, verb => one[verb] !== undefined),
        missing(paymentMethodNames, method => (one.accepts.methods as readonly string[]).includes(method)),
        missing(captures, way => one.accepts.capture.includes(way)),
        missing(Object.keys(currencies) as Currency[], currency => one.accepts.counting?.currencies?.includes(currency) ?? true),
      ]),
    ),
    '## Other names',
    'These names refer to the same connector. A payment shows the name used by its connector account.',
    table(
      ['name', 'connector'],
      Object.entries(alsoCalled).map(([name, one]) => [code(name), code(one.name)]),
    ),
    '## Sources',
    'Not every processor publishes its API. *Documented* comes from the processor, *second-hand* from other client code. *Guessed* is an assumption, with the consequence if it is wrong. Confirm these with the processor before you rely on them. No connector has been tested with a live account.',
    table(
      ['connector', 'documented', 'second-hand', 'guessed'],
      all.map(({ name, founded: { documented, second_hand = '—', guessed = '—' } }) => [code(name), documented, second_hand, guessed]),
    ),
    'To write, test and review a connector, see [connectors.md](../connectors.md).',
  )
}

const called = ({ called }: Connector['credentials'], member: string): string => (called?.[member] ? ` (${called[member].label})` : '')
const captures = ['automatic', 'manual', 'manual_multiple'] as const
const missing = <Word extends string>(all: readonly Word[], has: (word: Word) => boolean): string =>
  all
    .filter(word => !has(word))
    .map(code)
    .join(', ') || '—'
const currenciesOf = (counting: Counting | undefined): string =>
  counting?.currencies ? `${counting.currencies.length} (see below)` : 'all'

function countedOtherwise(counting: Counting | undefined): string {
  const decimals = Object.entries(counting?.decimals ?? {}).map(([currency, n]) => `${currency} with ${n} decimals`)
  const steps = Object.entries(counting?.steps ?? {}).map(([currency, n]) => `${currency} in steps of ${n}`)
  return [...decimals, ...steps].join(', ') || '—'
}

function events(): string {
  const rows = (all: Readonly<Record<string, { announced: string | null }>>, of: string): string[][] =>
    grouped(
      Object.entries(all).flatMap(([status, { announced }]) => (announced === null ? [] : [[status, announced] as const])),
      ([, type]) => type,
    ).map(([type, statuses]) => [code(type), of, statuses.map(([status]) => code(status)).join(', ')])
  const ofDisputes = Object.fromEntries(Object.keys(statusesOfDisputes).map(status => [status, { announced: status }]))
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
        ([name, { is, usual, by = ['profile'], inherited, only, on, kept, description }]) => [
          code(name),
          shapeIn(is),
          usual === undefined ? '' : code(JSON.stringify(usual)),
          [
            `the ${by.join(', else the ')}`,
            ...(inherited ? ['a new profile has its merchant’s'] : []),
            ...(only ? ['with the admin key'] : []),
            ...(on === 'update' ? ['by an update'] : on ? [`by ${on}`] : []),
          ].join('; '),
          kept === undefined ? (description ?? (is as { description?: string }).description ?? 'Returned as sent') : `Nothing yet: ${kept}`,
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
    "The test cards of the sandbox processor, and their results for merchants. For the processor's side, see sandbox/README.md.",
    'For payouts, every payout method behaves like the card whose number ends in the same four characters (for an email address, those before the @). For example, an IBAN ending in 0002 is declined; `ada0713@example.com` is paid, and the money is returned after three days; a payout method ending in 0432 is paid, but the result is never reported.',
    rows,
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
    'settings.md': settingsPage(),
    'states.md': states(),
    'test-cards.md': cardsPage(cards()),
  }
}

/** Records the example answers: a test calls every operation of a service, and writes what it answers. */
async function recordAnswers(): Promise<void> {
  const child = spawn(process.execPath, ['test/run.ts', 'tools/answers.test.ts'], {
    cwd: join(folder, '..', '..'),
    env: { ...process.env, TEST_ANSWERS: 'record' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (status !== 0) throw new Error(`${output}\nThe example answers are not recorded`)
}

if (import.meta.main) {
  mkdirSync(folder, { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  // The test compares answers with the document, which shows them as examples in turn.
  write('openapi.json', openapiPage())
  const recorded = recordAnswers()
  const all = pages()
  for (const file of readdirSync(folder)) if (!Object.hasOwn(all, file)) rmSync(join(folder, file))
  for (const [file, text] of Object.entries(all)) write(file, text)
  writeFileSync(join(folder, '..', 'adding.md'), addingPage())
  writeFileSync(join(chartFolder, 'values.schema.json'), valuesSchema())
  await recorded
  write('openapi.json', openapiPage())
  process.stdout.write(`${Object.keys(all).length} pages in docs/generated, and the example answers\n`)
}
