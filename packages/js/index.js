/** @typedef {import('./switchyard.d.ts').SwitchyardConstructor} SwitchyardConstructor */

/** @type {Map<string, Promise<SwitchyardConstructor>>} */
const loaded = new Map()

/** @param {string} src @param {string | undefined} integrity @returns {Promise<SwitchyardConstructor>} */
const load = (src, integrity) =>
  new Promise((done, fail) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    if (integrity !== undefined) {
      script.integrity = integrity
      script.crossOrigin = 'anonymous'
    }
    script.onload = () => {
      const { Switchyard } = /** @type {any} */ (window)
      if (Switchyard) done(Switchyard)
      else fail(new Error(`Switchyard: ${src} is not the script of a Switchyard service`))
    }
    script.onerror = () => {
      // The next call tries again.
      loaded.delete(src)
      script.remove()
      fail(new Error(`Switchyard: ${src} cannot be loaded. If the page has a content security policy, script-src must allow it`))
    }
    document.head.append(script)
  })

/** @type {typeof import('./index.d.ts').loadSwitchyard} */
export async function loadSwitchyard(publishableKey, { baseUrl, version, integrity }) {
  if (typeof document === 'undefined') return null
  const home = baseUrl.replace(/\/+$/, '')
  const src = `${home}/sdk/v${version ?? '1'}.js`
  let script = loaded.get(src)
  if (script === undefined) {
    script = load(src, integrity)
    loaded.set(src, script)
  }
  return (await script)(publishableKey, { baseUrl: home })
}
