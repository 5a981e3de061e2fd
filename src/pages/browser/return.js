// The page of a payment that was just made: returns to the shop after a countdown of a few seconds.
import { fill } from './parts.js'
import { pageData, pause } from './service.js'

const { returns } = pageData()
const back = /** @type {HTMLAnchorElement} */ (document.getElementById('back'))
const countdown = /** @type {HTMLElement} */ (document.getElementById('returning'))

for (let left = returns.seconds; left > 0; left--) {
  countdown.textContent = fill(returns.words, { seconds: String(left) })
  await pause(1000)
}
location.href = back.href
