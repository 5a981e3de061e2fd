// What the page of a link asks first: it has no need of the form's modules, which come meanwhile.
import { ahead, pageData, serviceOf } from './service.js'

export const page = pageData()
export const service = serviceOf(page)

/** What can be paid with, and what the customer has saved. */
export const askOffered = ahead(() => Promise.all([service.methods(), page.saved ? service.saved() : null]))
