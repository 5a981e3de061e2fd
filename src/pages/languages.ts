import { preferredLanguages } from '../base/preferred-languages.ts'
import ar from './texts/ar.json' with { type: 'json' }
import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import it from './texts/it.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import nl from './texts/nl.json' with { type: 'json' }
import pl from './texts/pl.json' with { type: 'json' }
import pt from './texts/pt.json' with { type: 'json' }
import sv from './texts/sv.json' with { type: 'json' }
import zh from './texts/zh.json' with { type: 'json' }

/** The texts of customer pages in one language, by room and key; `{name}` is a placeholder. */
export type Texts = typeof en

/** A new language is a file of `texts/` and its name here: the type asks for every text. */
export const pageTexts = { en, de, fr, ar, es, it, ja, nl, pl, pt, sv, zh } satisfies Record<string, Texts>
export type Language = keyof typeof pageTexts
export const languages = Object.keys(pageTexts) as Language[]

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** A language, and the locale for amounts and dates: `de-AT` has German texts, and Austrian number formats. */
export type Localization = { language: Language; locale: string }

const known = (tag: string): Localization | null => {
  const language = languages.find(one => tag.toLowerCase().split('-')[0] === one)
  if (language === undefined) return null
  try {
    return { language, locale: Intl.getCanonicalLocales(tag)[0] ?? language }
  } catch {
    return { language, locale: language }
  }
}

/** By the address, the configuration, then the browser; English if none names a known language. */
export function localizationOf(asked: readonly (string | undefined)[], acceptLanguage: string | undefined): Localization {
  for (const tag of [...asked, ...preferredLanguages(acceptLanguage)]) {
    const found = tag === undefined ? null : known(tag)
    if (found) return found
  }
  return { language: 'en', locale: 'en' }
}
