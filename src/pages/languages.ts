/**
 * In which languages pages speak. Another one is a word here, and its column in `words.ts`: the type checker names
 * what is missing.
 */
export const languages = ['en', 'de', 'fr'] as const
export type Language = (typeof languages)[number]

/** A text in each of them. */
export type Texts = Record<Language, string>
export const say = (en: string, de: string, fr: string): Texts => ({ en, de, fr })

/**
 * A language, and the locale by which amounts and dates are written: `de-AT` reads German, and writes as Austrians do.
 */
export type Tongue = { language: Language; locale: string }

const known = (tag: string): Tongue | null => {
  const language = languages.find(one => tag.toLowerCase().split('-')[0] === one)
  if (language === undefined) return null
  try {
    return { language, locale: Intl.getCanonicalLocales(tag)[0] ?? language }
  } catch {
    return { language, locale: language }
  }
}

/**
 * What is asked for, in this order: by the address, by configuration, by the browser (RFC 9110 12.5.4). English if
 * none of them says otherwise.
 */
export function tongueOf(asked: readonly (string | undefined)[], acceptLanguage: string | undefined): Tongue {
  const preferred = (acceptLanguage ?? '')
    .slice(0, 1000)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/)
      const quality = Number(parameters.find(one => one.startsWith('q='))?.slice(2) ?? 1)
      return { tag, quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
  for (const tag of [...asked, ...preferred]) {
    const found = tag === undefined ? null : known(tag)
    if (found) return found
  }
  return { language: 'en', locale: 'en' }
}
