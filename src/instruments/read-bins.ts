import { countries } from '../base/countries.ts'
import { NotCsv, readLines, readRows } from '../base/read-csv.ts'
import { type CardBin, LONGEST_PREFIX, SHORTEST_PREFIX } from './bins.ts'
import { networkNamed } from './networks.ts'

const columns: Record<keyof CardBin, readonly string[]> = {
  prefix: ['bin', 'iin', 'prefix', 'card_bin', 'card_iin'],
  networks: ['network', 'networks', 'brand', 'scheme', 'card_network'],
  card_type: ['type', 'card_type'],
  card_subtype: ['subtype', 'card_subtype', 'category', 'level'],
  issuer: ['issuer', 'bank', 'bank_name', 'issuer_name', 'card_issuer'],
  country: ['country', 'isocode2', 'country_code', 'alpha_2', 'issuer_country'],
  country_name: ['card_issuing_country', 'country_name'],
}
const names = Object.keys(columns) as (keyof CardBin)[]
/** A prepaid debit card is prepaid, and a deferred debit card deferred: the narrower type stands first. */
const types = ['PREPAID', 'DEFERRED', 'CREDIT', 'DEBIT', 'CHARGE']
const known = new Set(countries)
const LONGEST = 255
/** Invalid lines that are named with their reason. */
const MOST_NAMED = 20

/**
 * CSV whose header names `bin` (or `card_iin`, as in the ecosystem's cards_info) and `network`, and any of `type`,
 * `subtype`, `issuer`, `country` and `card_issuing_country`, the country's name; other columns are ignored. Several
 * networks are separated by `|`, the usual network first. Lines with an unknown network (`unknown`) and invalid lines
 * (`invalid`; `faults`: the first of them with reasons) are left out: one odd line costs the others nothing. Throws if
 * no line is valid.
 */
export async function readBins(text: string): Promise<{ rows: CardBin[]; unknown: number; invalid: number; faults: string[] }> {
  const [header, ...lines] = await rowsOf(text)
  const titles = (header?.fields ?? []).map(title => title.toLowerCase().replace(/[\s-]+/g, '_'))
  const columnIndex = Object.fromEntries(names.map(name => [name, titles.findIndex(title => columns[name].includes(title))])) as Record<
    keyof CardBin,
    number
  >
  if (columnIndex.prefix < 0 || columnIndex.networks < 0) throw new Error('the file must begin with a header that contains bin and network')
  const rows = new Map<string, CardBin>()
  const faults: string[] = []
  let [unknown, invalid] = [0, 0]
  for (const { fields, at: number } of lines) {
    const value = (name: keyof CardBin) => fields?.[columnIndex[name]] || null
    const prefix = value('prefix') ?? ''
    const country_name = value('country_name')
    // The column for the country's name may contain its two letters.
    const country = value('country') ?? (known.has(country_name?.toUpperCase() ?? '') ? country_name : null)
    const fault =
      fields === null
        ? 'is not valid CSV'
        : whyNot(prefix, country, { issuer: value('issuer'), subtype: value('card_subtype'), card_issuing_country: country_name })
    if (fault !== null) {
      invalid++
      if (faults.length < MOST_NAMED) faults.push(`line ${number}: ${fault}`)
      continue
    }
    const written = (value('networks') ?? '').split('|')
    const networks = [...new Set(written.map(networkNamed))]
    if (networks.includes(undefined)) unknown++
    else
      rows.set(prefix, {
        prefix,
        networks: networks.join(' '),
        card_type: typeOf(value('card_type')),
        card_subtype: value('card_subtype'),
        issuer: value('issuer'),
        country: country?.toUpperCase() ?? null,
        country_name,
      })
  }
  if (invalid > faults.length) faults.push(`and ${invalid - faults.length} more`)
  if (rows.size === 0 && invalid > 0) throw new Error(`no line is valid: ${faults.join('; ')}`)
  return { rows: [...rows.values()], unknown, invalid, faults }
}

/** A file that is not CSV as a whole is read line by line. */
async function rowsOf(text: string): Promise<ReturnType<typeof readLines>> {
  const rows = []
  try {
    for await (const row of readRows(text)) rows.push(row)
    return rows
  } catch (error) {
    if (error instanceof NotCsv) return readLines(text)
    throw error
  }
}

function whyNot(prefix: string, country: string | null, names: Record<string, string | null>): string | null {
  if (!/^\d+$/.test(prefix) || prefix.length < SHORTEST_PREFIX || prefix.length > LONGEST_PREFIX)
    return `bin must have ${SHORTEST_PREFIX} to ${LONGEST_PREFIX} digits`
  if (country !== null && !known.has(country.toUpperCase())) return 'country must be a two-letter country code'
  const long = Object.entries(names).find(([, value]) => (value?.length ?? 0) > LONGEST)
  return long ? `${long[0]} may have at most ${LONGEST} characters` : null
}

/** In capitals, as the ecosystem writes it. */
const typeOf = (written: string | null): string | null => types.find(type => written?.toUpperCase().includes(type)) ?? null
