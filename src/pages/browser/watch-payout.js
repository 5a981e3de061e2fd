// The page of a payout in progress: polls the page's status and reloads the page when the status has changed.
import { lookAgain, pageData, pauses, standsNow } from './service.js'

const page = pageData()

for await (const _round of pauses()) {
  const stands = await standsNow()
  if (stands !== undefined && stands !== page.stands) lookAgain()
}
