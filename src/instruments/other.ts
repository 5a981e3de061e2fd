import Type, { type TObject, type TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { anyText, byName, oneOf, orNull } from '../base/shapes.ts'
import type { Other, OtherFamily } from '../connectors/instrument.ts'
import type { Time } from '../context.ts'
import type { Family, Needed } from './family.ts'
import { checkExpiry, fullYear } from './read-card.ts'
import type { Way } from './way.ts'

/** One member, named after the way, with the parts of that way. */
export type OtherSent = Readonly<Record<string, object>>

export type MaskedOther = { way: string; parts: Record<string, string> }

type Ways = Readonly<Record<string, Way>>

/** A way that has the name of its family has its parts directly in the family's object. */
const placeOf = (is: string, way: string, { formOf }: Way): string =>
  way === is ? `payment_method_data.${is}` : `payment_method_data.${is}.${formOf ?? way}`

/** The family has a single way of its own name, which requests do not name. */
const isFlat = (is: string, ways: Ways): boolean => is in ways && Object.keys(ways).length === 1

/** Ways without parts may be given as a name without an object. */
const bareNames = (ways: Ways): string[] =>
  Object.entries(ways).flatMap(([name, { parts, also }]) =>
    Object.keys(parts).length === 0 ? [name, ...(also === null ? [] : [also])] : [],
  )

/** `seen`: the schema in answers, if not the union of what the ways show. */
export function familyOfWays<F extends OtherFamily>(
  is: F,
  ways: Ways,
  seen: TObject = maskedRecipientOf(is, ways),
): Family<Other<F>, OtherSent, MaskedOther> {
  const at = `payment_method_data.${is}`
  return {
    is,
    method: is,
    types: [...new Set(Object.values(ways).flatMap(({ types }) => types))],
    needsType: true,
    at,
    shape: isFlat(is, ways) ? nest([ways[is]!.parts]) : shapeOf(is, ways),
    needs: type => Object.entries(ways).flatMap(([name, one]) => (one.types.includes(type) ? neededOf(placeOf(is, name, one), one) : [])),
    banks: type => Object.values(ways).flatMap(one => (one.types.includes(type) ? banksIn(one) : [])),
    experiences: (type, sent) => [
      ...new Set(
        Object.entries(ways).flatMap(([name, one]) =>
          one.types.includes(type) &&
          (!sent || isFlat(is, ways) || Object.hasOwn(sent, name) || (one.also !== null && Object.hasOwn(sent, one.also)))
            ? one.experience
            : [],
        ),
      ),
    ],
    sealed: Object.entries(ways).flatMap(([name, one]) =>
      Object.entries(one.parts).flatMap(([part, { visible }]) =>
        visible === 'masked' || visible === 'never' ? `${placeOf(is, name, one)}.${part}` : [],
      ),
    ),
    fleeting: [],
    read: (sent, now, type) => read(is, ways, sent, type, now),
    mask: (_vault, _merchant_id, instrument) => ({ way: instrument.way, parts: visibleOf(ways[instrument.way]!, instrument) }),
    forget: ({ way, parts }) => ({ way, parts: forgotten(ways[way]!, parts) }),
    seal: ({ type, way, open, secrets }) => {
      const hidden = Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]))
      return { lasting: JSON.stringify({ type, way, open, hidden }), waiting: null }
    },
    open(_seen, lasting) {
      const { hidden, ...rest } = JSON.parse(lasting)
      return {
        is,
        ...rest,
        secrets: Object.fromEntries(Object.entries(hidden).map(([name, text]) => [name, new Secret(text as string)])),
      }
    },
    seen,
    ...(is === 'reward' && { bare: true }),
    show: ({ way, parts }) => showWay(is, ways, way, parts) as Record<string, unknown>,
  }
}

const shapeOf = (is: string, ways: Ways): TObject =>
  Type.Object(
    Object.fromEntries(
      Object.entries(ways).flatMap(([name, { parts, formOf, also }]) => {
        if (formOf !== null) return []
        const shape = Type.Optional(nest([parts, ...Object.values(formsOf(ways, name)).map(form => form.parts)]))
        return [[name, shape], ...(also === null ? [] : [[also, shape]])]
      }),
    ),
    { additionalProperties: false, title: titleOf(is), ...byName(bareNames(ways)) },
  )

/** Given under the way's name. */
const formsOf = (ways: Ways, name: string): Ways => Object.fromEntries(Object.entries(ways).filter(([, { formOf }]) => formOf === name))

/** Dots denote nested objects. A member is required only if every form of the way needs it. */
function nest(forms: readonly Way['parts'][], above = ''): TObject {
  const within = (parts: Way['parts'], place: string) => Object.entries(parts).filter(([path]) => path.startsWith(place))
  const there = forms.filter(parts => within(parts, above).length > 0)
  const names = [...new Set(there.flatMap(parts => within(parts, above).map(([path]) => path.slice(above.length).split('.')[0]!)))]
  const members = names.map(name => {
    const here = `${above}${name}`
    const itself = there.flatMap(parts => parts[here]?.shape ?? [])
    const inside = there.some(parts => within(parts, `${here}.`).length > 0) ? [nest(there, `${here}.`)] : []
    const shapes: TSchema[] = [...itself.slice(0, 1), ...inside]
    const shape = shapes.length === 1 ? shapes[0]! : Type.Union(shapes)
    const needed = there.every(parts => parts[here]?.needed || within(parts, `${here}.`).some(([, one]) => one.needed))
    return [name, needed ? shape : Type.Optional(shape)]
  })
  // As in the ecosystem, members that a way does not have are accepted and ignored.
  return Type.Object(Object.fromEntries(members))
}

const neededOf = (at: string, { parts }: Way): Needed[] =>
  Object.entries(parts).flatMap(([name, { asks, options }]) =>
    asks === null
      ? []
      : {
          required_field: `${at}.${name}`,
          display_name: name.split('.').at(-1)!,
          field_type: options === null ? asks : { [asks]: { options } },
        },
  )

const banksIn = ({ parts }: Way): readonly string[] => Object.values(parts).flatMap(({ options }) => options ?? [])

function read<F extends OtherFamily>(is: F, ways: Ways, sent: OtherSent, type: string, now: Time): Other<F> {
  const at = `payment_method_data.${is}`
  const flat = isFlat(is, ways)
  const [name, ...others] = flat ? [is] : Object.keys(sent)
  if (name === undefined) refuse('missing', { field: `${at}.…` })
  if (others.length > 0)
    refuse('unacceptable', { field: at, problem: `holds ${[name, ...others].join(' and ')}; only one payment method is allowed` })
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], flat ? sent : sent[name])
  const own = Object.entries(ways).find(([, { also }]) => also === name)?.[0] ?? name
  const way = formIn(ways, own, valueAt)
  const { types, parts, ends } = ways[way]!
  const placed = (part: string): string => `${placeOf(is, way, ways[way]!)}.${part}`
  if (!types.includes(type)) refuse('unacceptable', { field: at, problem: `${name} does not belong to payment_method_type ${type}` })
  const open: Record<string, string> = {}
  const secrets: Record<string, Secret> = {}
  for (const [part, one] of Object.entries(parts)) {
    const value = valueAt(part)
    const field = placed(part)
    if (value === undefined) {
      if (one.needed) refuse('unreadable', { field, problem: 'is required' })
      continue
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const meant = one.read ? one.read(text, field) : text
    if (one.visible === 'clear') open[part] = meant
    else secrets[part] = new Secret(meant)
  }
  if (ends?.every(part => open[part] !== undefined)) {
    const [month, year] = ends
    checkExpiry(Number(open[month]), fullYear(open[year]!), now, placed(month), placed(year))
  }
  return { is, type, way, open, secrets }
}

/** The form with a part in the request that the way does not have. */
function formIn(ways: Ways, name: string, valueAt: (path: string) => unknown): string {
  const own = ways[name]!.parts
  const isGiven = ({ parts }: Way) => Object.keys(parts).some(path => !Object.hasOwn(own, path) && valueAt(path) !== undefined)
  return Object.entries(formsOf(ways, name)).find(([, form]) => isGiven(form))?.[0] ?? name
}

function visibleOf({ parts }: Way, { open, secrets }: Other): Record<string, string> {
  const seen: Record<string, string> = { ...open }
  for (const [name, secret] of Object.entries(secrets)) {
    const { visible } = parts[name]!
    if (visible === 'person') seen[name] = secret.reveal()
    else if (visible === 'masked') seen[name] = mask(secret.reveal())
  }
  return seen
}

const HIDDEN = '****'

/** Leaves the last four of eight or more characters, and of `name@bank` the bank. */
function mask(text: string): string {
  const bank = text.lastIndexOf('@')
  if (bank > 0) return HIDDEN + text.slice(bank)
  return text.length >= 8 ? HIDDEN + text.slice(-4) : HIDDEN
}

const REDACTED = 'Redacted'

const forgotten = (way: Way, seen: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(seen).map(([name, text]) => {
      const { visible } = way.parts[name]!
      return [name, visible === 'clear' ? text : visible === 'person' ? REDACTED : HIDDEN]
    }),
  )

const namesSeen = ({ parts }: Way): string[] => Object.entries(parts).flatMap(([name, { visible }]) => (visible === 'never' ? [] : name))

/** The visible parts under the way's name, null for parts that were not sent. */
function showWay(is: string, ways: Ways, name: string, seen: Record<string, string>): object {
  const way = ways[name]!
  if (way.shows) return way.shows(seen)
  const parts = Object.fromEntries(namesSeen(way).map(part => [part, seen[part] ?? null]))
  return isFlat(is, ways) ? parts : { [way.as]: parts }
}

function maskedRecipientOf(is: string, ways: Ways): TObject {
  const shapes = Object.values(ways).map(way => {
    const parts = Type.Object(Object.fromEntries(namesSeen(way).map(name => [name, orNull(anyText)])))
    return isFlat(is, ways) ? parts : Type.Object({ [way.as]: parts })
  })
  const different = new Map(shapes.map(shape => [JSON.stringify(shape), shape]))
  return oneOf(`${titleOf(is)}Seen`, [...different.values()]) as TObject
}

const titleOf = (is: string): string => is.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
