import type { LinkConfig } from '../accounts/payment-link-config.ts'

/**
 * The merchant's colours as variables of the page's style. They are hexadecimal by their shape
 * (`accounts/payment-link-config.ts`), so nothing else can get into the style.
 */

type Rgb = readonly [number, number, number]

function rgbOf(hex: string): Rgb {
  const digits = hex.slice(1)
  const long = digits.length === 3 ? [...digits].map(one => one + one).join('') : digits
  return [0, 2, 4].map(at => Number.parseInt(long.slice(at, at + 2), 16)) as unknown as Rgb
}

/** Relative luminance (WCAG 2). */
const luminance = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map(one => (one / 255 <= 0.040_45 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4)) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(rgbOf(a)), luminance(rgbOf(b))].sort((one, other) => other - one) as [number, number]
  return (x + 0.05) / (y + 0.05)
}

/** Dark or light letters, whichever can be read better. */
export const lettersOn = (colour: string): string => (contrast(colour, '#ffffff') >= contrast(colour, '#0b0f17') ? '#ffffff' : '#0b0f17')

export const ACCENT = '#1457d9'

const positions: Record<string, string> = { top: 'top center', bottom: 'bottom center', left: 'center left', right: 'center right' }

/**
 * `scheme`: dark or light alone, where the merchant has chosen the colour behind everything; else what the customer
 * prefers.
 */
export function themeOf(config: LinkConfig): { style: string; scheme: 'dark' | 'light' | null } {
  const { theme, payment_button_colour, payment_button_text_colour, background_colour, color_icon_card_cvc_error, background_image } =
    config
  const button = payment_button_colour ?? theme ?? ACCENT
  const said: [string, string | undefined][] = [
    ['theme', theme],
    ['button', button],
    ['on-button', payment_button_text_colour ?? lettersOn(button)],
    ['paper', background_colour],
    ['bad', color_icon_card_cvc_error],
  ]
  if (background_image) {
    const { url, position = 'center', size } = background_image
    const extent = size?.Pixels ? `${size.Pixels}px` : size?.Percentage ? `${size.Percentage}%` : (size?.Variants ?? 'cover')
    said.push(['image', `url("${url}") ${positions[position] ?? position} / ${extent} no-repeat`])
  }
  const style = `:root:root:root { ${said.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}: ${value}`])).join('; ')} }`
  const scheme = background_colour === undefined ? null : lettersOn(background_colour) === '#ffffff' ? 'dark' : 'light'
  return { style, scheme }
}
