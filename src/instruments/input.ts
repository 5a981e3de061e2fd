import Type, { type TOptional, type TSchema } from 'typebox'
import type { Facts } from '../connectors/connector.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { CardFacts, Context, Time, Vault } from '../context.ts'
import { type AnyFamily, families, familyNamed, type MaskedInstrument } from './families.ts'

const all: readonly AnyFamily[] = Object.values(families)
const pathOf = (place: string): readonly string[] => place.split('.')

/** `from`: its path in the request, if it is there. `known`: BIN data. `fingerprint`: of a saved instrument. */
export type InstrumentInput = {
  family: AnyFamily
  sent: unknown
  instrument: PaymentInstrument
  from?: string
  known?: CardFacts | null
  fingerprint?: string | null
}

type Asking = { payment_method_data?: object; payment_method_type?: string }

/** Null if the request has none. */
export function readInstrument({ payment_method_data, payment_method_type = '' }: Asking, now: Time): InstrumentInput | null {
  for (const name in payment_method_data) {
    const family = familyNamed(name)
    if (!family) continue
    const sent = payment_method_data[name as keyof typeof payment_method_data]
    return { family, sent, instrument: family.read(sent, now, payment_method_type), from: family.at }
  }
  return null
}

/** Refuses an instrument that contradicts the BIN data, which comes from memory, or from a query the first time. */
export function informed<B extends InstrumentInput>({ bins }: Pick<Context, 'bins'>, input: B | null): B | null | Promise<B> {
  // An instrument that the processor stores has no digits in this service.
  const digits = input && input.instrument.is === input.family.is ? input.family.bin?.(input.instrument) : undefined
  if (input === null || digits === undefined) return input
  const { family, instrument, sent, from } = input
  const by = (known: CardFacts | null): B => ({
    ...input,
    known,
    instrument: known && family.informed ? family.informed(instrument, sent, known, from) : instrument,
  })
  const known = bins.of(digits)
  return known instanceof Promise ? known.then(by) : by(known)
}

/** May be stored in clear. A saved instrument keeps its fingerprint. */
export function maskedOf(
  vault: Pick<Vault, 'fingerprint'>,
  merchant_id: string,
  { family, sent, instrument, known, fingerprint }: InstrumentInput,
) {
  return family.mask(fingerprint ? { fingerprint: () => fingerprint } : vault, merchant_id, instrument, sent, known)
}

export const inputShapes = Object.fromEntries(Object.entries(families).map(([method, { shape }]) => [method, Type.Optional(shape)])) as {
  [Method in keyof typeof families]: TOptional<(typeof families)[Method]['shape']>
}

/** Families that a request may name without an object. */
export const inputByName = all.flatMap(({ bare, is }) => (bare ? is : []))

/** `payment_method_data` of answers, one shape for each method. `more`: the members beside it. */
export const seenShape = (more: Record<string, TSchema>): TSchema =>
  Type.Union(
    [...all.filter(({ bare }) => !bare).map(({ method, seen }) => Type.Object({ [method]: seen, ...more })), Type.Enum(inputByName)],
    { title: 'PaymentMethodSeen' },
  )

export const showInstrument = (family: AnyFamily, seen: MaskedInstrument, facts: Facts | null, more: object, extended: boolean): unknown =>
  family.bare ? family.is : { [family.method]: family.show(seen, facts, extended), ...more }

/** Of Visa's network transaction ids, which have 15 digits, one in ten looks like a card number. */
const REPEATED = [
  'recurring_details.data.card_number',
  'recurring_details.data.network_token',
  'recurring_details.data.network_transaction_id',
  'network_token.network_token_data.network_token_number',
]

/** May contain card numbers: fields of payments, and the card of a payment method that is saved. */
export const sealedPlaces: ReadonlySet<string> = new Set([...all.flatMap(({ sealed }) => sealed), 'card.card_number', ...REPEATED])

const fleeting = [...all.flatMap(one => one.fleeting), 'card.card_cvc'].map(pathOf)

/** The digest of a request covers only this part, so it may be repeated without the data that must not be stored. */
export const lastingPart = <Ask extends object>(ask: Ask): Ask =>
  fleeting.reduce((rest, path) => without(rest, path, 0) as typeof rest, ask)

function without(value: unknown, path: readonly string[], i: number): unknown {
  const name = path[i]
  if (name === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return value
  const { [name]: member, ...rest } = value as Record<string, unknown>
  return i === path.length - 1 ? rest : { ...rest, [name]: without(member, path, i + 1) }
}
