import type { LinkConfig } from '../accounts/payment-link-config.ts'

/** As variables of the style. Their shape (`accounts/payment-link-config.ts`) allows only hexadecimal values. */

type Colours = { contrast(a: string, b: string): number; lettersOn(colour: string): string }
/** With which frames compute colors from a shop's: the same module runs in the browser and here. */
export const { contrast, lettersOn } = (await import(new URL('browser/contrast.js', import.meta.url).href)) as Colours

const ACCENT = '#1457d9'

const positions: Record<string, string> = { top: 'top center', bottom: 'bottom center', left: 'center left', right: 'center right' }

/** `scheme`: dark or light if the merchant has set the background color; null: the customer's preference. */
export function themeOf(config: LinkConfig): { style: string; scheme: 'dark' | 'light' | null } {
  const { theme, payment_button_colour, payment_button_text_colour, background_colour, color_icon_card_cvc_error, background_image } =
    config
  const button = payment_button_colour ?? theme ?? ACCENT
  const values: [string, string | undefined][] = [
    ['theme', theme],
    ['button', button],
    ['on-button', payment_button_text_colour ?? lettersOn(button)],
    ['paper', background_colour],
    ['bad', color_icon_card_cvc_error],
  ]
  if (background_image) {
    const { url, position = 'center', size } = background_image
    const extent = size?.Pixels ? `${size.Pixels}px` : size?.Percentage ? `${size.Percentage}%` : (size?.Variants ?? 'cover')
    values.push(['image', `url("${url}") ${positions[position] ?? position} / ${extent} no-repeat`])
  }
  const style = `:root:root:root { ${values.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}: ${value}`])).join('; ')} }`
  const scheme = background_colour === undefined ? null : lettersOn(background_colour) === '#ffffff' ? 'dark' : 'light'
  return { style, scheme }
}
