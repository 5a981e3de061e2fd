// The contrast of colors (WCAG 2). Pure functions, which the server uses as well.

/** @param {string} hex `#rgb` or `#rrggbb` */
function rgbOf(hex) {
  const digits = hex.slice(1)
  const long = digits.length === 3 ? [...digits].map(one => one + one).join('') : digits
  return [0, 2, 4].map(at => Number.parseInt(long.slice(at, at + 2), 16))
}

/** Returns the relative luminance. @param {string} hex */
function luminance(hex) {
  const [r = 0, g = 0, b = 0] = rgbOf(hex).map(one => (one / 255 <= 0.040_45 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/**
 * Returns the contrast of two colors, from 1 (the same) to 21 (black on white).
 * @param {string} a
 * @param {string} b
 */
export function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** The contrast that text needs with its background (WCAG 2.2, 1.4.3). */
const LETTERS = 4.5

/**
 * Returns the more readable text color, dark or light; black where neither has enough contrast.
 * @param {string} colour
 */
export function lettersOn(colour) {
  const best = contrast(colour, '#ffffff') >= contrast(colour, '#0b0f17') ? '#ffffff' : '#0b0f17'
  return contrast(colour, best) >= LETTERS ? best : '#000000'
}
