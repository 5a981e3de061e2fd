import { webhooks } from '@switchyard/node'
import { hear, setting } from '../../shop.js'

/** The signature is of the body as it came, so nothing parses it before. */
export const POST = (request: Request) => webhooks.route(setting('WEBHOOK_SECRET'), hear)(request)
