// A payout that is on its way: looks how its page stands, and shows it anew when that has changed.
import { lookAgain, pageData, pauses, standsNow } from './service.js'

const page = pageData()

for await (const _round of pauses()) {
  const stands = await standsNow()
  if (stands !== undefined && stands !== page.stands) lookAgain()
}
