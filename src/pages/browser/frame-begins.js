// What the frame of an element asks first, once the shop's page has said which payment it is about: it has no need of
// the form's modules, which come meanwhile.
import { openChannel } from './channel.js'
import { ahead, pageData, serviceOf } from './service.js'

export const channel = openChannel()
export const page = pageData()
export const init = await channel.began

Object.assign(page, { publishable_key: init.publishable_key, client_secret: init.client_secret, ephemeral_key: init.ephemeral_key })
page.payment_id = String(init.client_secret).split('_secret_')[0]
export const service = serviceOf({ ...page, actions: 'page' })

/** What can be paid with, what the customer has saved, and the payment. */
export const askOffered = ahead(() => Promise.all([service.methods(), service.saved(), service.payment()]))
