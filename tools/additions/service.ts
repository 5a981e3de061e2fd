import type { Addition } from '../adding.ts'

/** What the interface and the process have. */
export const service: readonly Addition[] = [
  {
    what: 'A setting of the deployment',
    description:
      'An entry of the table: the configuration and its type, `--help`, the documentation and the words of a refusal are derived from it. This one is `config.printerPort`.',
    edits: [
      {
        file: 'src/config.ts',
        before: 'LOG_LEVEL: {',
        add: "PRINTER_PORT: {\n  is: wholeNumber(0, 65_535),\n  default: '9100',\n  description: 'Port of the printer',\n},",
      },
    ],
  },
  {
    what: 'An operation of the interface',
    description:
      'A use case in its module, named with the merchant’s verb, and an entry of the routes: router, authentication, validation, OpenAPI and the SDK are derived from it. `auth` says who may call it, with which permission, and whether for a profile or the whole merchant; without it the entry does not compile, and `test/access.ts` has to agree (its lines cover most new routes). Its example answer is what it really answers, for the first object of the examples’ day that it does not refuse; only an operation that is refused for all of them needs a call in the story of that day (`tools/answers.test.ts`).',
    edits: [
      {
        file: 'src/payments/note.ts',
        add: `import type { Call } from '../operations/verb.ts'
import type { Payment } from './payment.ts'
import { changePayment, moved } from './rows.ts'

/** Notes in the history of a payment that a person has looked at it. */
export async function notePayment(call: Call, payment_id: string): Promise<Payment> {
  const { context } = call
  const { payment } = await changePayment(call, payment_id, before => {
    const after: Payment = { ...before, modified_at: context.now() }
    return { change: moved(context, before, after, 'noted') }
  })
  return payment
}`,
      },
      {
        file: 'src/http/routes/payments.ts',
        before: "import { type Payment, payments as paymentsTable } from '../../payments/payment.ts'",
        add: "import { notePayment } from '../../payments/note.ts'",
      },
      {
        file: 'src/http/routes/payments.ts',
        before: 'manualUpdateOfPayment,',
        add: `endpoint('POST /payments/{payment_id}/note', 'notePayment', {
  title: 'Note a payment',
  description: 'Adds a note to the history of a payment.',
  auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
  ...ofPayment,
  json: async call => shown(call, await notePayment(call, call.path.payment_id)),
}),`,
      },
    ],
  },
  {
    what: 'An error',
    description:
      'An entry of the catalogue, with what the caller can do (`remedy`); the place that refuses; and the name among the `errors` of each operation that gets there: a test that receives an error which the operation does not list fails, and names both. `message` is the text that existing clients know for the code; `explains` says what happened in this request.',
    edits: [
      {
        file: 'src/base/refusal.ts',
        before: 'card_bin_malformed: entry',
        add: `card_bin_reserved: entry<{ digits: string }>()({
  code: 'IR_16',
  message: 'No issuer has this card BIN',
  explains: '{digits} begins with 0, which ISO/IEC 7812 reserves',
  remedy: 'Send the first six to eight digits of the card number',
}),`,
      },
      {
        file: 'src/http/routes/payment-methods.ts',
        before: 'const known = (await context.bins.of(bin)) ??',
        add: "if (bin.startsWith('0')) refuse('card_bin_reserved', { digits: bin })",
      },
      {
        file: 'src/http/routes/payment-methods.ts',
        instead: "errors: ['card_bin_unknown', 'card_bin_malformed'],",
        add: "errors: ['card_bin_unknown', 'card_bin_malformed', 'card_bin_reserved'],",
      },
    ],
  },
  {
    what: 'A permission',
    description:
      'A row of the table of roles, with a cell for each role, and the operations that need it; keys with scopes may then be given it, and keys that have scopes already lack it. `test/access.ts` says the same from the meaning; the grids of roles and keys compare the service with it. What only the whole merchant may do is in `ofWhole` too.',
    edits: [
      {
        file: 'src/users/roles.ts',
        before: "'audit:own': row(",
        add: "'attention:read': row('See what needs a person', 'yes', 'yes', 'yes', 'yes', 'yes'),",
      },
      {
        file: 'src/http/routes/attention.ts',
        instead: "auth: { credential: 'secret', permission: 'analytics:read', scope: 'profile' },",
        add: "auth: { credential: 'secret', permission: 'attention:read', scope: 'profile' },",
      },
      {
        file: 'test/access.ts',
        before: 'analytics:read profile: POST /analytics/*, GET /attention',
        add: 'attention:read profile: GET /attention',
      },
    ],
  },
  {
    what: 'A type of event',
    description:
      'An entry of the catalogue, and the place that announces it: `eventType` of a status in a `lifecycle.ts`, or `announces` of a change, as here. Webhooks, their signatures, filters, the SDK’s types and the docs follow (`npm run docs`, then `npm run packages`).',
    edits: [
      {
        file: 'src/base/event-types.ts',
        before: 'refund_succeeded: event(',
        add: "payment_annotated: event('payment.annotated', 'The metadata of the payment were changed'),",
      },
      {
        file: 'src/payments/actions/update-metadata.ts',
        instead: "return { change: moved(context, before, after, 'metadata_updated') }",
        add: "return { change: moved(context, before, after, 'metadata_updated', { announces: 'payment_annotated' }) }",
      },
    ],
  },
  {
    what: 'A job',
    description:
      'Rows with the time at which they are due, what is done with one, and a line of the jobs: claims, leases, retries, isolation, `GET /jobs` and the metrics follow. The function clears the time or sets the next one; if it throws, it is tried again later. Rows that are only deleted when they are old are `forgotten(…)` and a line of `forgettings`.',
    edits: [
      {
        file: 'src/payments/reminders.ts',
        add: `import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'
import type { JobContext } from '../operations/verb.ts'

/** The payments of which somebody is reminded, and when. */
const reminders = table('reminders', {
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), remind_at: time() },
})

const dueReminders = claimed(reminders, { when: 'remind_at', gives: ['merchant_id', 'payment_id'] })
const forget = statement('forget_reminder', 'delete from reminders where merchant_id = $1 and payment_id = $2')

export const reminderJob = scheduledJob(dueReminders, async ({ context }: JobContext, { merchant_id, payment_id }) => {
  await context.query(forget, [merchant_id, payment_id])
})`,
      },
      {
        file: 'src/startup/jobs.ts',
        before: "import { oldExternalPayments } from '../payments/routing/external-payments.ts'",
        add: "import { reminderJob } from '../payments/reminders.ts'",
      },
      { file: 'src/startup/jobs.ts', before: 'settledSampleData,', add: 'reminderJob,' },
      {
        file: 'src/database/migrations/807.do.sql',
        add: `create table reminders (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  remind_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index reminders_due on reminders (remind_at);`,
      },
    ],
  },
]
