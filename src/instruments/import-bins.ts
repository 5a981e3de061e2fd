import type { Context, Statement } from '../context.ts'
import type { CardBin } from './bins.ts'

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
