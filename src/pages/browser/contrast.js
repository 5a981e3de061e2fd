// Colours, as eyes tell them apart (WCAG 2). Pure: the server reckons with them too.

/** @param {string} hex `#rgb` or `#rrggbb` */
function rgbOf(hex) {
  const digits = hex.slice(1)
  const long = digits.length === 3 ? [...digits].map(one => one + one).join('') : digits
  return [0, 2, 4].map(at => Number.parseInt(long.slice(at, at + 2), 16))
}

/** Relative luminance. @param {string} hex */
function luminance(hex) {
  const [r = 0, g = 0, b = 0] = rgbOf(hex).map(one => (one / 255 <= 0.040_45 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** From 1 (the same) to 21 (black on white). @param {string} a @param {string} b */
export function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** What letters need beside their ground (WCAG 2.2, 1.4.3). */
const LETTERS = 4.5

/** Dark or light letters, whichever can be read better; black ones where neither is enough. @param {string} colour */
export function lettersOn(colour) {
  const best = contrast(colour, '#ffffff') >= contrast(colour, '#0b0f17') ? '#ffffff' : '#0b0f17'
  return contrast(colour, best) >= LETTERS ? best : '#000000'
}
