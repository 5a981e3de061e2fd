import { STATUS_CODES } from 'node:http'
import type { Document, Media, OpenApiOperation, OpenApiResponse, Parameter } from './document.ts'
import type { Schema } from './schemas.ts'

/** Moves what several operations have in common to `components`, so that the document contains it once. */

type Shared = Pick<Document['components'], 'responses' | 'parameters' | 'examples'>

export function share(operations: readonly OpenApiOperation[]): Shared {
  return { responses: shareResponses(operations), parameters: shareQueries(operations), examples: shareExamples(operations) }
}

/** Error responses: most operations refuse a wrong key in the same way. */
function shareResponses(operations: readonly OpenApiOperation[]): Shared['responses'] {
  const errors = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) => (Number(status) < 400 ? [] : [{ responses, status, response }])),
  )
  const alike = Map.groupBy(errors, ({ status, response }) => `${status} ${JSON.stringify(response)}`)
  const shared: Record<string, OpenApiResponse> = {}
  const counts = new Map<string, number>()
  for (const all of alike.values()) {
    if (all.length === 1) continue
    const { status, response } = all[0]!
    const phrase = STATUS_CODES[status]!.replaceAll(/\W/g, '')
    const count = (counts.get(phrase) ?? 0) + 1
    counts.set(phrase, count)
    const name = count === 1 ? phrase : `${phrase}${count}`
    shared[name] = response as OpenApiResponse
    for (const { responses } of all) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return shared
}

/** The parameters of queries: the list, the export and the sums of a resource are filtered alike. */
function shareQueries(operations: readonly OpenApiOperation[]): Shared['parameters'] {
  const queries = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.flatMap((parameter, at) =>
      'in' in parameter && parameter.in === 'query' ? [{ operationId, parameters, parameter, at }] : [],
    ),
  )
  const shared: Record<string, Parameter> = {}
  for (const all of Map.groupBy(queries, ({ parameter }) => JSON.stringify(parameter)).values()) {
    if (all.length === 1) continue
    const { operationId, parameter } = all[0]!
    // `time_range[end_time]` and `time_range.end_time` are two parameters.
    const name = `${operationId}_${parameter.name.replaceAll('[', '_').replaceAll(/\W/g, '')}`
    if (Object.hasOwn(shared, name)) throw new Error(`two parameters of the interface are called ${name}`)
    shared[name] = parameter
    for (const { parameters, at } of all) parameters[at] = { $ref: `#/components/parameters/${name}` }
  }
  return shared
}

/** Answers: two operations may show the same object. */
function shareExamples(operations: readonly OpenApiOperation[]): Shared['examples'] {
  const shown = operations.flatMap(({ operationId, responses }) =>
    Object.values(responses)
      .flatMap((response): Media[] => ('content' in response ? Object.values(response.content ?? {}) : []))
      .flatMap(media => (media.example === undefined ? [] : [{ operationId, media }])),
  )
  const shared: Record<string, { value: unknown }> = {}
  for (const all of Map.groupBy(shown, ({ media }) => JSON.stringify(media.example)).values()) {
    if (all.length === 1) continue
    const { operationId, media } = all[0]!
    shared[operationId] = { value: media.example }
    for (const { media } of all) {
      delete media.example
      media.examples = { [operationId]: { $ref: `#/components/examples/${operationId}` } }
    }
  }
  return shared
}

/** The shortest shape, in characters of JSON, for which a reference is worth a name. */
const SHORTEST_SHARED_SHAPE = 300

/** The parts of a shape: those of its members, entries and options. */
const partsOf = ({ properties = {}, items, anyOf = [], additionalProperties }: Schema): [name: string, part: Schema][] => [
  ...Object.entries(properties),
  ...(items ? [['entry', items] as [string, Schema]] : []),
  ...anyOf.map((one, at): [string, Schema] => [`option_${at + 1}`, one]),
  ...(typeof additionalProperties === 'object' ? [['value', additionalProperties] as [string, Schema]] : []),
]

/** Gives each shape within the named ones that occurs more than once a name, after its first place. */
export function shareShapes(schemas: Record<string, Schema>): void {
  const keyOf = ({ description: _description, ...rest }: Schema): string => JSON.stringify(rest)
  const uses = new Map<string, { name: string; shape: Schema; places: Schema[] }>()
  const find = (name: string, shape: Schema): void => {
    for (const [part, inner] of partsOf(shape)) {
      const key = keyOf(inner)
      const before = uses.get(key)
      if (before) before.places.push(inner)
      else {
        const found = `${name}_${part.replaceAll(/\W/g, '')}`
        if (key.length >= SHORTEST_SHARED_SHAPE) uses.set(key, { name: found, shape: inner, places: [inner] })
        find(found, inner)
      }
    }
  }
  for (const [name, shape] of Object.entries(schemas)) find(name, shape)
  for (const { name, shape, places } of uses.values()) {
    if (places.length === 1) continue
    const { description: _description, ...shared } = shape
    if (Object.hasOwn(schemas, name)) throw new Error(`two shapes of the interface are called ${name}`)
    schemas[name] = shared
    for (const place of places) {
      for (const word of Object.keys(shared)) delete place[word as keyof Schema]
      place.$ref = `#/components/schemas/${name}`
    }
  }
}
