import type { Schema } from './schemas.ts'
import type { securitySchemes } from './security.ts'
import type { Webhook } from './webhooks.ts'

/** The OpenAPI document, as far as the page, the tools and the tests read it. */
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
}
export type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown } | Reference> }
export type OpenApiResponse = { description: string; content?: Record<string, Media>; headers?: Record<string, unknown> }
export type OpenApiOperation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** The method of the SDK that calls the operation. */
  'x-sdk-method'?: string
  /** The operation that this one repeats at another address for existing clients. */
  'x-alias-of'?: string
  /** Set if a POST only reads. */
  'x-reads'?: true
  security: Record<string, never[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, OpenApiResponse | Reference>
}
type Reference = { $ref: string }
export type Document = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, Webhook>
  components: {
    securitySchemes: typeof securitySchemes
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: Schema }>
    /** The error responses that several operations share. */
    responses: Record<string, OpenApiResponse>
    /** The answers that several operations show. */
    examples: Record<string, { value: unknown }>
    schemas: Record<string, Schema>
  }
}
