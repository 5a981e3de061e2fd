// The appearance that a shop wants for the frame: a few settings, each of which is checked. Invalid settings are
// listed and not used.
import { contrast, lettersOn } from './contrast.js'

const ACCENT = '#1457d9'
/** The background of a frame unless the shop sets one. */
const grounds = { light: '#ffffff', dark: '#171e2a' }

/** The contrast that text, and that marks and lines need with their background (WCAG 2.2, 1.4.3 and 1.4.11). */
const LETTERS = 4.5
const LINES = 3

const colour = (/** @type {unknown} */ value) => typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)
const among =
  (/** @type {string[]} */ ...allowed) =>
  (/** @type {unknown} */ value) =>
    allowed.includes(/** @type {string} */ (value))
const text = (/** @type {RegExp} */ form) => (/** @type {unknown} */ value) => typeof value === 'string' && form.test(value)

/** The check of each setting. */
const members = {
  theme: among('light', 'dark', 'auto'),
  layout: among('accordion', 'spaced_accordion', 'tabs'),
  labels: among('above', 'floating'),
  accent: colour,
  onAccent: colour,
  background: colour,
  radius: text(/^(?:\d|1\d|2[0-4])(?:\.\d{1,2})?px$/),
  fontFamily: text(/^[\p{L}\d ,'"-]{1,200}$/u),
}

/** @param {any} value */
const isFont = value =>
  typeof value === 'object' &&
  value !== null &&
  text(/^[\p{L}\d -]{1,60}$/u)(value.family) &&
  text(/^https:\/\/[^\s"'()\\]{1,500}\.woff2?$/)(value.src) &&
  (value.weight === undefined || text(/^[1-9]\d{0,2}(?: [1-9]\d{0,2})?$/)(String(value.weight))) &&
  (value.style === undefined || among('normal', 'italic')(value.style))

/**
 * Returns the valid settings of an appearance, and the names of the invalid ones.
 * @param {any} asked
 * @returns {{ taken: any, faults: string[] }}
 */
export function readAppearance(asked) {
  const faults = []
  /** @type {any} */
  const taken = { theme: 'light', layout: 'accordion', labels: 'above', fonts: [] }
  for (const [name, value] of Object.entries(typeof asked === 'object' && asked !== null ? asked : {})) {
    if (value === undefined) continue
    if (name === 'fonts' && Array.isArray(value) && value.length <= 8 && value.every(isFont)) taken.fonts = value
    else if (/** @type {Record<string, (value: unknown) => boolean>} */ (members)[name]?.(value)) taken[name] = value
    else faults.push(name)
  }
  // The background decides whether the frame is light or dark.
  if (taken.background) taken.theme = lettersOn(taken.background) === '#ffffff' ? 'dark' : 'light'
  // In the dark theme the style makes the shop's accent color lighter.
  const ground = taken.background ?? grounds.light
  if (taken.accent && taken.theme !== 'dark' && contrast(taken.accent, ground) < LINES) {
    faults.push('accent')
    taken.accent = undefined
  }
  if (taken.onAccent && contrast(taken.onAccent, taken.accent ?? ACCENT) < LETTERS) {
    faults.push('onAccent')
    taken.onAccent = undefined
  }
  return { taken, faults }
}

/**
 * Applies an appearance to the document. @param {ReturnType<typeof readAppearance>['taken']} taken
 */
export function applyAppearance(taken) {
  const { theme, layout, labels, accent = ACCENT, onAccent = lettersOn(accent), radius, fontFamily, fonts } = taken
  const root = document.documentElement
  if (theme === 'auto') delete root.dataset.scheme
  else root.dataset.scheme = theme
  const say = (/** @type {string} */ name, /** @type {string | undefined} */ value) =>
    value === undefined ? root.style.removeProperty(name) : root.style.setProperty(name, value)
  say('--theme', taken.accent)
  say('--button', accent)
  say('--on-button', onAccent)
  say('--round', radius)
  say('font-family', fontFamily)
  const { classList } = document.body
  for (const name of [...classList]) if (/^(?:ways|labels)-/.test(name)) classList.remove(name)
  classList.add(`ways-${layout}`, `labels-${labels}`)
  // Each font is fetched at once and as a whole, so that no request depends on the text that the customer types.
  for (const { family, src, weight = '400', style = 'normal' } of fonts) {
    const font = new FontFace(family, `url("${src}")`, { weight: String(weight), style, display: 'swap' })
    document.fonts.add(font)
    // If the font cannot be loaded, the next font of the list is used.
    font.load().catch(() => {})
  }
}
