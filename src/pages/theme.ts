import type { LinkConfig } from '../accounts/payment-link-config.ts'

/**
 * The merchant's colors as variables of the page's style. Their shape allows only hexadecimal values
 * (`accounts/payment-link-config.ts`), so that nothing else can get into the style.
 */

type Colours = { contrast(a: string, b: string): number; lettersOn(colour: string): string }
/**
 * The functions with which frames compute colors from those of a shop: the same module runs in the browser and here on
 * the server.
 */
export const { contrast, lettersOn } = (await import(new URL('browser/contrast.js', import.meta.url).href)) as Colours

const ACCENT = '#1457d9'

const positions: Record<string, string> = { top: 'top center', bottom: 'bottom center', left: 'center left', right: 'center right' }

/**
 * Returns the style of a page. `scheme`: dark or light alone if the merchant has set the background color; else null,
 * and the customer's preference decides.
 */
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
