import { createHmac } from 'node:crypto'

/**
 * Returns the webhook signature that several processors share: `t=<unix seconds>,v1=<hex HMAC-SHA256 over t.body>`.
 */
export const signature = (body: string, secret: string, t: number): string =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
