import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { readQuery } from './query.ts'

const shape = Type.Object({
  limit: Type.Optional(Type.Integer()),
  force_sync: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Array(Type.String())),
  amounts: Type.Optional(Type.Array(Type.Integer())),
})
const read = (text: string) => {
  const given: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) given[name] = name in given ? [given[name]!, value].flat() : value
  return readQuery(shape, given)
}

test('a query parameter has the type that it is declared with; an empty one is absent', () => {
  deepEqual(read('limit=20&force_sync=true'), { limit: 20, force_sync: true })
  deepEqual(read('limit=&force_sync=&status='), {})
  deepEqual(read('limit=many&force_sync=yes'), { limit: 'many', force_sync: 'yes' }, 'for the schema to refuse')
})

test('a list parameter can be repeated, written with brackets, or separated by commas', () => {
  for (const text of ['status=failed&status=succeeded', 'status[]=failed&status[]=succeeded', 'status=failed,succeeded'])
    deepEqual(read(text), { status: ['failed', 'succeeded'] }, text)
  deepEqual(read('status=failed'), { status: ['failed'] })
  deepEqual(read('amounts=1,2&amounts=3'), { amounts: [1, 2, 3] })
})

test('a parameter that is not a list is refused if it is given more than once', () => {
  throws(() => read('limit=1&limit=2'), /limit.*more than once/)
})
