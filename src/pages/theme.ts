import type { LinkConfig } from '../accounts/payment-link-config.ts'

/**
 * The merchant's colours as variables of the page's style. They are hexadecimal by their shape
 * (`accounts/payment-link-config.ts`), so nothing else can get into the style.
 */

type Colours = { contrast(a: string, b: string): number; lettersOn(colour: string): string }
/** As frames reckon them with the colours of a shop: there in the browser, here on the server. */
export const { contrast, lettersOn } = (await import(new URL('browser/contrast.js', import.meta.url).href)) as Colours

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
