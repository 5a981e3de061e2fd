// The frame beside our form in which Google's script runs. The frame reports whether this browser has Google Pay,
// draws Google's button, and passes the customer's payment data to the form. The customer types nothing here.

const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js'
const around = window.parent
const say = (/** @type {string} */ google_pay, more = {}) => around.postMessage({ ...more, google_pay }, location.origin)

/** Google's API, once the script has loaded. @returns {Promise<any>} */
const loaded = new Promise((done, fail) => {
  const script = document.createElement('script')
  script.src = SCRIPT
  const none = () => fail(new Error('Google Pay could not be loaded'))
  script.addEventListener('load', () => {
    const { api } = /** @type {any} */ (window).google?.payments ?? {}
    if (api) done(api)
    else none()
  })
  script.addEventListener('error', none)
  document.head.append(script)
})
loaded.catch(() => say('not ready'))

/** @param {{ environment: string, request: any, radius: number }} message */
async function begin({ environment, request, radius }) {
  const { apiVersion, apiVersionMinor, allowedPaymentMethods, merchantInfo } = request
  const client = new (await loaded).PaymentsClient({ environment, merchantInfo })
  const methods = allowedPaymentMethods.map((/** @type {any} */ { type, parameters }) => ({ type, parameters }))
  const { result } = await client.isReadyToPay({ apiVersion, apiVersionMinor, allowedPaymentMethods: methods })
  if (!result) return say('not ready')
  let isOpen = false
  async function onClick() {
    if (isOpen) return
    isOpen = true
    say('opened')
    try {
      say('paid', { payment: await client.loadPaymentData(request) })
    } catch (error) {
      say(/** @type {any} */ (error)?.statusCode === 'CANCELED' ? 'closed' : 'failed')
    }
    isOpen = false
  }
  const isDark = getComputedStyle(document.documentElement).getPropertyValue('--apple-style').trim() === 'white'
  const button = client.createButton({
    onClick,
    allowedPaymentMethods,
    buttonColor: isDark ? 'white' : 'black',
    buttonType: 'plain',
    buttonSizeMode: 'fill',
    buttonLocale: document.documentElement.lang.split('-')[0],
    buttonRadius: Math.round(radius),
  })
  document.getElementById('button')?.replaceChildren(button)
  say('ready')
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== around || around === window || origin !== location.origin || data?.google_pay !== 'begin') return
  begin(data).catch(() => say('not ready'))
})
if (around !== window) say('hello')
