import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Secret } from '../base/secret.ts'
import type { Files } from '../context.ts'

/** `address`: the bucket's URL, with its name in the path or in the host, as the store requires. */
export type Bucket = { address: string; region: string; keyId: string; secret: Secret }

const WITHIN_MS = 10_000

/** Requests are signed (AWS Signature Version 4), with their content. Throws if the store is unreachable or refuses. */
export function openBucket({ address, region, keyId, secret }: Bucket): Files {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret.reveal(), service: 's3', region, retries: 2 })
  const base = address.replace(/(?<!\/)\/+$/, '')
  const ask = async (method: 'PUT' | 'GET' | 'DELETE', name: string, body?: Buffer, headers: Record<string, string> = {}) => {
    const url = `${base}/${name.split('/').map(encodeURIComponent).join('/')}`
    const signal = AbortSignal.timeout(WITHIN_MS)
    const signed = {
      ...headers,
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    }
    const answer = await client.fetch(url, { method, headers: signed, signal, ...(body && { body: new Uint8Array(body) }) })
    if (answer.ok || (answer.status === 404 && method !== 'PUT')) return answer
    const code = /<Code>(\w{1,64})<\/Code>/.exec(await answer.text())?.[1] ?? ''
    throw new Error(`the file store answers ${answer.status} ${code} to ${method}`)
  }
  return {
    async put(name, bytes, content_type) {
      await (await ask('PUT', name, bytes, { 'content-type': content_type })).arrayBuffer()
    },
    async get(name) {
      const answer = await ask('GET', name)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return answer.status === 404 ? null : bytes
    },
    async delete(name) {
      await (await ask('DELETE', name)).arrayBuffer()
    },
    async tried() {
      await (await ask('GET', 'tried')).arrayBuffer()
    },
  }
}
