import type { Bins, CardFacts, Context, Statement } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, table, text } from '../database/table.ts'

const cards = (networks: string, card_type: string, country: string): CardFacts => ({
  networks: networks.split(' '),
  card_type,
  issuer: 'TEST BANK',
  country,
})

/** Test card numbers that processors publish, for numbers without imported data. */
// biome-ignore format: a table reads better in columns
const testBins: Readonly<Record<string, CardFacts>> = {
  424242:   cards('Visa', 'CREDIT', 'US'),
  411111:   cards('Visa', 'CREDIT', 'US'),
  401288:   cards('Visa', 'CREDIT', 'US'),
  400005:   cards('Visa', 'DEBIT', 'US'),
  40000025: cards('CartesBancaires Visa', 'CREDIT', 'FR'),
  555555:   cards('Mastercard', 'CREDIT', 'US'),
  510510:   cards('Mastercard', 'PREPAID', 'US'),
  520082:   cards('Mastercard', 'DEBIT', 'US'),
  55555525: cards('CartesBancaires Mastercard', 'CREDIT', 'FR'),
  378282:   cards('AmericanExpress', 'CREDIT', 'US'),
  371449:   cards('AmericanExpress', 'CREDIT', 'US'),
  601111:   cards('Discover', 'CREDIT', 'US'),
  305693:   cards('DinersClub', 'CREDIT', 'US'),
  356600:   cards('JCB', 'CREDIT', 'JP'),
  620000:   cards('UnionPay', 'CREDIT', 'CN'),
}

/** Imported (`npm run bins:import`). `networks`: separated by blanks, the usual network first. */
const cardBins = table('card_bins', {
  key: ['prefix'],
  columns: {
    prefix: text(),
    networks: text(),
    card_type: text().orNull(),
    card_subtype: text().orNull(),
    issuer: text().orNull(),
    country: text().orNull(),
    country_name: text().orNull(),
  },
})
export type CardBin = RowOf<typeof cardBins>

/** Digits: at most as many as may be stored in clear (PCI DSS 3.4.1). */
export const SHORTEST_PREFIX = 6
export const LONGEST_PREFIX = 8
const prefixesOf = (digits: string): string[] =>
  Array.from({ length: LONGEST_PREFIX - SHORTEST_PREFIX + 1 }, (_, i) => digits.slice(0, LONGEST_PREFIX - i))

/** In `settings_changes` this stands for the deployment, because the table belongs to no merchant. */
const DEPLOYMENT = '@deployment'
const REMEMBERED = 20_000

/** The longest matching prefix, and whether the table has any rows. */
const find = statement(
  'card_bin',
  `select exists (select from card_bins) as filled, known.prefix, known.networks, known.card_type, known.card_subtype, known.issuer, known.country, known.country_name
    from (select) as one left join lateral
      (select prefix, networks, card_type, card_subtype, issuer, country, country_name from card_bins where prefix = any($1) order by length(prefix) desc limit 1) as known on true`,
)
type Found = { filled: boolean } & { [N in keyof CardBin]: CardBin[N] | null }

/**
 * Cached by eight digits: a shop sees the same prefixes again and again. While nothing is imported, the table is
 * queried once after a start. If it cannot be read, the card counts as unknown: no payment waits.
 */
export function openBins({ query, log }: Pick<Context, 'query' | 'log'>) {
  const known = new Map<string, CardFacts | null>()
  let filled: boolean | null = null
  const clear = () => {
    known.clear()
    filled = null
  }

  function remember(digits: string, facts: CardFacts | null): CardFacts | null {
    if (known.size >= REMEMBERED) known.clear()
    known.set(digits, facts)
    return facts
  }

  async function read(digits: string): Promise<CardFacts | null> {
    try {
      const [row] = await query<Found>(find, [prefixesOf(digits)])
      filled = row!.filled
      const { prefix, networks, card_type, card_subtype, issuer, country, country_name } = row!
      // The longest prefix wins, imported or built in: a row of six digits says less of a card than eight digits do.
      const own = builtInPrefix(digits)
      if (prefix === null || networks === null || (own?.length ?? 0) > prefix.length) return remember(digits, builtIn(digits))
      return remember(digits, { networks: networks.split(' '), card_type, card_subtype, issuer, country, country_name })
    } catch (error) {
      log.warn({ err: error }, 'card BIN data could not be read')
      return builtIn(digits)
    }
  }

  return {
    of(number) {
      const digits = number.slice(0, LONGEST_PREFIX)
      const facts = known.get(digits)
      if (facts !== undefined) return facts
      return filled === false ? remember(digits, builtIn(digits)) : read(digits)
    },
    forget(merchants: ReadonlySet<string>): void {
      if (merchants.has(DEPLOYMENT)) clear()
    },
    clear,
  } satisfies Bins & { forget(merchants: ReadonlySet<string>): void; clear(): void }
}

const builtInPrefix = (digits: string): string | undefined => prefixesOf(digits).find(prefix => testBins[prefix])

function builtIn(digits: string): CardFacts | null {
  const prefix = builtInPrefix(digits)
  return prefix === undefined ? null : testBins[prefix]!
}

const BATCH = 1000

const put: Statement = {
  name: 'put_card_bins',
  text: `insert into card_bins (prefix, networks, card_type, card_subtype, issuer, country, country_name)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    on conflict (prefix) do update set networks = excluded.networks, card_type = excluded.card_type, card_subtype = excluded.card_subtype, issuer = excluded.issuer, country = excluded.country,
      country_name = excluded.country_name`,
}

/** Every process drops its cached BIN data. */
const invalidate: Statement = {
  name: 'tell_card_bins',
  text: `with s as (update settings_version set version = version + 1 returning version)
    insert into settings_changes (version, merchant_id) select version, '@deployment' from s`,
}

/** An entry replaces the one with the same prefix; others stay. `onProgress`: with the entries written so far. */
export async function importBins(
  { query }: Pick<Context, 'query'>,
  rows: readonly CardBin[],
  onProgress: (done: number) => void,
): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) {
    const some = rows.slice(i, i + BATCH)
    await query(
      put,
      (['prefix', 'networks', 'card_type', 'card_subtype', 'issuer', 'country', 'country_name'] as const).map(name =>
        some.map(row => row[name]),
      ),
    )
    onProgress(i + some.length)
  }
  await query(invalidate, [])
}
