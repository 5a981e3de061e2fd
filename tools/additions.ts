import type { Addition } from './adding.ts'

/** What may be added, each by an example (`adding.ts`). */
export const additions: readonly Addition[] = [
  {
    what: 'A field of a payment',
    says: 'An entry of a chapter in `src/payments/fields/`: requests, rights of browsers, answers, OpenAPI and docs are read off it. The example describes what is sold, is kept as it was sent, and shown to all.',
    edits: [
      {
        file: 'src/payments/fields/sold.ts',
        before: 'merchant_order_reference_id: {',
        add: `cost_center: {
  shape: shortText,
  by: 'server',
  kept: 'asked',
  shown: 'to all',
  does: 'describes',
  says: "The merchant's cost centre",
},`,
      },
    ],
  },
  {
    what: 'A column of a payment',
    says: 'The table describes it, the first row has it, and a migration adds it while a service runs ([0019](decisions/0019-migrations.md)).',
    migrates: true,
    edits: [
      { file: 'src/payments/payment.ts', before: 'cancellation_reason: text().orNull(),', add: 'noted_at: time().orNull(),' },
      { file: 'src/payments/new-payment.ts', before: 'cancellation_reason: null,', add: 'noted_at: null,' },
      { file: 'src/database/migrations/900.do.sql', add: 'alter table payments add column noted_at timestamptz(3);' },
    ],
  },
  {
    what: 'A status of a payment',
    says: 'The grid says how it is reached and left, the table beside it what it means; the type of the column is the database’s.',
    migrates: true,
    edits: [
      { file: 'src/payments/lifecycle.ts', instead: 'review: {},', add: "review: { examined: 'examined' },\nexamined: {}," },
      {
        file: 'src/payments/lifecycle.ts',
        after: 'export const statuses: Readonly<Record<PaymentStatus, Says>> = {',
        add: `  examined: {
    means: 'A person has looked at it',
    so: 'Nothing',
    customer: 'looked into',
    announced: null,
    is: [],
  },`,
      },
      { file: 'src/database/migrations/901.do.sql', add: "alter type payment_status add value 'examined';" },
    ],
  },
  {
    what: 'A setting of a business profile',
    says: 'An entry of the table: shapes, types, checks, answers and documentation are read off it. Whoever goes by it asks `profileSetting(merchant, profile_id, name)`.',
    edits: [
      {
        file: 'src/accounts/profile-settings.ts',
        before: "is_l2_l3_enabled: { is: flag, usual: false, says: 'Whether processors are sent level 2 and 3 data' },",
        add: "is_note_printed: { is: flag, usual: false, says: 'Whether notes are printed' },",
      },
    ],
  },
  {
    what: 'A setting of the deployment',
    says: 'An entry of the table: the configuration and its type, `--help`, the documentation and the words of a refusal are read off it. This one is `config.printerPort`.',
    edits: [
      {
        file: 'src/config.ts',
        before: 'LOG_LEVEL: {',
        add: "PRINTER_PORT: {\n  is: wholeNumber(0, 65_535),\n  default: '9100',\n  says: 'Port of the printer',\n},",
      },
    ],
  },
]
