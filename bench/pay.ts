import { Pool } from 'undici'
import { purchase } from './body.ts'
import type { Stage } from './stage.ts'

const CLIENTS = 16

/** Makes a number of payments, sixteen at once. Throws at the first payment that is not accepted. */
export async function pay({ url, key }: Stage, many: number): Promise<void> {
  const pool = new Pool(url, { connections: CLIENTS })
  const headers = { 'api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...purchase, confirm: true })
  let left = many
  const client = async () => {
    while (left-- > 0) {
      const { statusCode, body: answer } = await pool.request({ method: 'POST', path: '/payments', headers, body })
      const text = await answer.text()
      if (statusCode !== 200 || !text.includes('"succeeded"'))
        throw new Error(`The service did not accept a payment: ${statusCode} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await pool.close()
}
