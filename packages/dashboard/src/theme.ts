import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core'

/**
 * Color scales of ten steps, 0 the lightest. Lightness falls in equal steps, so the same step of two colors has the
 * same contrast.
 */
const scales = {
  gray: '#f9fafb #f3f4f6 #e8e9ec #d6d8dc #b8bbc0 #8f9299 #6c7077 #52555d #34383f #161920',
  blue: '#f3f7ff #e6eefe #ccdefe #accafe #86b1ff #5e94f8 #4478de #3260b8 #284c92 #1c3668',
  teal: '#f1f9fa #dff2f4 #c0e6e9 #96d6dc #68c1ca #2da9b4 #048e98 #04727b #025b62 #024045',
  green: '#f2f9f4 #e1f3e6 #c4e8ce #9fd9b1 #76c691 #47ae70 #209456 #0a7842 #0c6034 #0b4324',
  violet: '#f8f5fe #f0eafe #e3d6fd #d2bcfb #bd9ff2 #a580e2 #8c65c8 #714fa5 #5a3f83 #3f2c5d',
  amber: '#fcf6ef #faebdb #f4d8b9 #edc08c #dfa45b #cc851e #ac6e05 #8b5803 #6f4501 #503000',
  red: '#fff4f3 #ffe8e5 #fed1cc #ffb2ab #fb8d85 #ea6862 #ce4a47 #aa3735 #872c2a #601f1d',
  dark: '#eaebee #bbbec3 #9ea2a8 #71757c #44484f #30343b #23262d #191c22 #111419 #0c0e13',
} as const

const scale = (name: keyof typeof scales): MantineColorsTuple => scales[name].split(' ') as unknown as MantineColorsTuple
const colors = Object.fromEntries(Object.keys(scales).map(name => [name, scale(name as keyof typeof scales)]))

const step = (name: keyof typeof scales, at: number): string => scale(name)[at]!

/** Returns the colors by meaning for the light or the dark scheme. Components use meanings, never names of colors. */
const meanings = (isDark: boolean): Record<string, string> => {
  const ink = (light: number, dark: number) => step(isDark ? 'dark' : 'gray', isDark ? dark : light)
  const hue = (name: keyof typeof scales) => step(name, isDark ? 4 : 7)
  const fill = (name: keyof typeof scales) => step(name, isDark ? 5 : 6)
  const tints = isDark
    ? { done: '#12231b', held: '#10242a', way: '#152038', unknown: '#211b33', person: '#2a2115', no: '#2d191a' }
    : {
        done: step('green', 0),
        held: step('teal', 0),
        way: step('blue', 0),
        unknown: step('violet', 0),
        person: step('amber', 0),
        no: step('red', 0),
      }
  return {
    '--bg': isDark ? step('dark', 8) : '#ffffff',
    '--sunken': ink(0, 9),
    '--raised': isDark ? step('dark', 7) : '#ffffff',
    '--hover': ink(1, 7),
    '--selected': isDark ? '#182237' : step('blue', 0),
    '--line': ink(2, 6),
    '--line-2': ink(3, 5),
    '--control': ink(5, 3),
    '--text': ink(9, 0),
    '--text-2': ink(7, 1),
    '--text-3': ink(6, 2),
    '--link': hue('blue'),
    '--focus': fill('blue'),
    '--act': ink(9, 0),
    '--on-act': isDark ? step('dark', 9) : '#ffffff',
    '--done': hue('green'),
    '--held': hue('teal'),
    '--way': hue('blue'),
    '--unknown': hue('violet'),
    '--person': hue('amber'),
    '--no': hue('red'),
    '--waits': ink(6, 2),
    '--ended': ink(6, 2),
    '--waits-bg': ink(1, 7),
    '--ended-bg': ink(1, 7),
    ...Object.fromEntries(Object.entries(tints).map(([name, tint]) => [`--${name}-bg`, tint])),
    '--done-fill': fill('green'),
    '--way-fill': fill('blue'),
    '--unknown-fill': step('violet', 5),
    '--person-fill': step('amber', 5),
    '--no-fill': fill('red'),
    '--rest-fill': ink(3, 4),
  }
}

export const cssVariables: CSSVariablesResolver = () => {
  const scheme = (isDark: boolean) => {
    const meant = meanings(isDark)
    return {
      ...meant,
      '--mantine-color-body': meant['--bg']!,
      '--mantine-color-text': meant['--text']!,
      '--mantine-color-dimmed': meant['--text-2']!,
      '--mantine-color-anchor': meant['--link']!,
      '--mantine-color-placeholder': meant['--text-3']!,
      '--mantine-color-default': meant['--bg']!,
      '--mantine-color-default-hover': meant['--hover']!,
      '--mantine-color-default-border': meant['--line-2']!,
      '--mantine-color-error': meant['--no']!,
      '--mantine-primary-color-filled': meant['--act']!,
      '--mantine-primary-color-contrast': meant['--on-act']!,
    }
  }
  return { variables: {}, light: scheme(false), dark: scheme(true) }
}

const px = (size: number): string => `${size / 16}rem`

export const theme = createTheme({
  colors,
  primaryColor: 'gray',
  primaryShade: { light: 9, dark: 0 },
  // By default Mantine derives the text color of a filled button from the button's color in the light scheme.
  variantColorResolver: input => {
    const usual = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...usual, color: 'var(--mantine-primary-color-contrast)' } : usual
  },
  white: '#ffffff',
  black: step('gray', 9),
  fontFamily: '"Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, "Cascadia Mono", "Noto Sans Mono", monospace',
  fontSizes: { xs: px(12), sm: px(13), md: px(14), lg: px(16), xl: px(20) },
  lineHeights: { xs: '1.34', sm: '1.54', md: '1.43', lg: '1.5', xl: '1.4' },
  spacing: { xs: px(4), sm: px(8), md: px(12), lg: px(16), xl: px(24) },
  radius: { sm: px(4), md: px(6), lg: px(10) },
  defaultRadius: 'md',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm', h: 32, px: 12 } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, multiline: true, maw: 360 } },
    ModalRoot: { defaultProps: { yOffset: '10vh', transitionProps: { duration: 160 } } },
    Menu: { defaultProps: { shadow: 'md' } },
    Popover: { defaultProps: { shadow: 'md' } },
  },
})
