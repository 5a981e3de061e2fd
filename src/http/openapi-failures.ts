import { STATUS_CODES } from 'node:http'
import { type RefusalName, refusalCatalogue } from '../base/refusal.ts'
import { isForCustomer } from './customer-page.ts'
import type { Endpoint } from './endpoint.ts'
import { wording } from './error-templates.ts'
import type { Media, OpenApiOperation, OpenApiResponse } from './openapi-document.ts'
import { refusalsOf } from './openapi-refusals.ts'

/** The error responses of an operation, as the OpenAPI document describes them. */

const errorBody: Record<string, Media> = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
/** The page that a customer's browser receives instead. */
const errorPage: Record<string, Media> = { 'text/html': { schema: { type: 'string' } } }
export const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

/** Returns a refusal as a line of a description. */
export const refusalLine = (name: RefusalName): string =>
  `- \`${refusalCatalogue[name].code}\` ${wording(name).message}. ${wording(name).help}`

/**
 * Moves error responses that several operations share into one named table, and replaces them in the operations by
 * references. This saves a third of the document: most operations refuse a wrong key in the same way.
 */
export function shareResponses(operations: readonly OpenApiOperation[]): Record<string, OpenApiResponse> {
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

/** Returns one error response for each status, naming the error codes with that status. */
export function failures(endpoint: Endpoint): Record<string, OpenApiResponse> {
  const answers: Record<string, OpenApiResponse> = {}
  for (const name of refusalsOf(endpoint)) {
    const { status } = refusalCatalogue[name]
    if (status < 400) continue
    const retry = 'retryAfter' in refusalCatalogue[name] && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
    const before = answers[status]
    const line = refusalLine(name)
    answers[status] = {
      description: before ? `${before.description}\n${line}` : line,
      headers: { ...requestIdHeader, ...before?.headers, ...retry },
      content: isForCustomer({ url: endpoint.path, headers: { accept: 'text/html' } }) ? { ...errorBody, ...errorPage } : errorBody,
    }
  }
  return answers
}
