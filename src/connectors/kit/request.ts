import { createHash } from 'node:crypto'
import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account } from '../connector.ts'

export const bearerOf = (key: Secret): string => `Bearer ${key.reveal()}`

export const basicOf = (user: Secret, password: Secret): string =>
  `Basic ${Buffer.from(`${user.reveal()}:${password.reveal()}`).toString('base64')}`

/** Without a slash at its end. */
export const baseOf = ({ base_url }: Pick<Account, 'base_url'>): string => (base_url.endsWith('/') ? base_url.slice(0, -1) : base_url)

export const getRequest = (url: string, authorization: string): Request => ({ method: 'GET', url, headers: { authorization } })

/** `key`: the idempotency key. */
export const jsonRequest = (method: 'POST' | 'PUT', url: string, authorization: string, body: object, key?: string): Request => ({
  method,
  url,
  headers:
    key === undefined
      ? { authorization, 'content-type': 'application/json' }
      : { authorization, 'content-type': 'application/json', 'idempotency-key': key },
  body: JSON.stringify(body),
})

type FormPart = { name: string; filename?: string; type?: string; content: string | Buffer }

/** The body of a multipart/form-data request (RFC 7578), and its content type. */
export function multipart(request_id: string, parts: readonly FormPart[]): { bytes: Buffer; type: string } {
  const boundary = `form-${request_id}`
  const blocks = parts.flatMap(({ name, filename, type, content }) => {
    const disposition = `content-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`
    const head = [`--${boundary}`, disposition, ...(type === undefined ? [] : [`content-type: ${type}`]), '', '']
    return [Buffer.from(head.join('\r\n')), Buffer.from(content), Buffer.from('\r\n')]
  })
  return { bytes: Buffer.concat([...blocks, Buffer.from(`--${boundary}--\r\n`)]), type: `multipart/form-data; boundary=${boundary}` }
}

/** Version 4, with 122 bits of the id's SHA-256: for idempotency keys that must be UUIDs. */
export function uuidOf(request_id: string): string {
  const digest = createHash('sha256').update(request_id).digest()
  digest[6] = (digest[6]! & 0x0f) | 0x40
  digest[8] = (digest[8]! & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

export const inPath = (id: string): string => encodeURIComponent(id)
