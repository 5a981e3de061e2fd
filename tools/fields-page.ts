import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import type { FieldName } from '../src/payments/fields/all.ts'
import type { PaymentField } from '../src/payments/fields/field.ts'
import type { Field } from '../src/resources/field.ts'
import { takes } from '../src/resources/read.ts'
import { fieldReceivers } from './field-probes.ts'

/** The contents of the page of fields, generated from the table, from rehearsed authorizations, and from the tests. */

type Shape = TSchema & {
  type?: string
  enum?: readonly unknown[]
  format?: string
  maxLength?: number
  minLength?: number
  minimum?: number
  maximum?: number
  items?: Shape
  properties?: object
  additionalProperties?: unknown
  anyOf?: readonly Shape[]
}

/** Returns the validation of a value in a few words; the OpenAPI document contains full schemas. */
export function shapeIn(shape: Shape): string {
  if (shape.enum) return shape.enum.length > 8 ? `one of ${shape.enum.length} values` : shape.enum.join(', ')
  if (shape.anyOf) return shape.anyOf.map(shapeIn).join('; or ')
  if (shape.items) return `list of ${shapeIn(shape.items)}`
  if (shape.properties) return shape.additionalProperties === false ? 'object, no other members' : 'object'
  if (shape.format) return shape.format
  if (shape.type === 'string') return `text${shape.maxLength ? ` up to ${shape.maxLength}` : ''}`
  if (shape.type === 'integer') return `integer${shape.minimum === undefined ? '' : ` from ${shape.minimum}`}`
  return shape.type ?? 'any, validated separately'
}

const kept: Record<NonNullable<Field['storedIn']>, string> = {
  column: 'own column',
  request: 'as sent',
  sealed: 'sealed',
  vault: 'masked; the rest encrypted in the vault',
}
const shown: Record<NonNullable<Field['visibility']>, string> = {
  'to all': 'to all',
  'to the server': 'to the server',
  computed: 'computed',
}

function doing({ effect }: PaymentField): string {
  if (!effect) return 'takes effect'
  if (effect === 'describes') return 'describes the order'
  const taken = effect.only?.map(value => `\`${value}\``).join(' or ')
  return [
    ...(taken === undefined ? [] : [taken === '' ? 'refused by name' : `only ${taken}; others are refused by name`]),
    ...(effect.keptOnly ? [`${effect.keptOnly.in ? `what it says; by ${effect.keptOnly.in} ` : ''}kept only: ${effect.keptOnly.why}`] : []),
  ].join('. ')
}

/** Returns why no processor receives a field. */
function whyNotSent({ effect }: PaymentField): string {
  if (typeof effect === 'object' && effect.only)
    return effect.only.length === 0 ? 'no: refused by name' : 'no: accepted values have no effect'
  if (typeof effect === 'object' && effect.keptOnly && !effect.keptOnly.in) return 'no: kept only'
  return effect === 'describes' ? 'no: for the merchant only' : 'no: handled by the service'
}

const root = join(import.meta.dirname, '..')
/**
 * The test of fields without one of their own. Besides, every field is tested with invalid values in
 * `test/long/bad-input/payments.test.ts` and with requests of browsers in `test/kept-only.test.ts`.
 */
const everywhere = 'test/kept-only.test.ts'

/** Returns a function that finds the first test that uses a field of a payment by its name. */
function testOf(): (name: string) => string {
  const files = [
    'src/payments/**/*.test.ts',
    'test/{,processors/}*.test.ts',
    'src/{routing,customers,payment-methods,http}/*.test.ts',
  ].flatMap(pattern => globSync(pattern, { cwd: root }).toSorted())
  const texts = files.map(file => [file, readFileSync(join(root, file), 'utf8')] as const)
  return name => texts.find(([, text]) => new RegExp(`\\b${name}(?:: |, | })`).test(text))?.[0] ?? everywhere
}

export const fieldColumns = ['field', 'taken by', 'from', 'validated', 'stored', 'sent to', 'returned', 'does', 'tested in']

/** Returns a function that makes one row for each field of a chapter. */
export function fieldRows(): (chapter: Readonly<Record<string, PaymentField>>) => string[][] {
  const receivers = fieldReceivers()
  const tested = testOf()
  return chapter =>
    Object.entries(chapter).map(([name, field]) => [
      `\`${name}\``,
      (['create', 'update', 'confirm'] as const)
        .filter(asking => takes(asking, field))
        .map(asking => (field.requiredIn?.includes(asking) ? `${asking} (required)` : asking))
        .join(', '),
      field.settableBy === 'browser' ? 'server, browser' : 'server',
      `${shapeIn(field.shape as Shape)}${field.check ? '; additional checks' : ''}`,
      field.storedIn ? kept[field.storedIn] : 'no: applies to this request only',
      receivers.get(name as FieldName)?.join(', ') ?? whyNotSent(field),
      field.visibility ? shown[field.visibility] : 'no: not in responses',
      doing(field),
      `\`${tested(name)}\``,
    ])
}
