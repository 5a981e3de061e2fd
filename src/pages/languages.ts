import { preferredLanguages } from '../base/preferred-languages.ts'
import { arabic } from './texts/ar.ts'
import { spanish } from './texts/es.ts'
import { italian } from './texts/it.ts'
import { japanese } from './texts/ja.ts'
import { dutch } from './texts/nl.ts'
import { polish } from './texts/pl.ts'
import { portuguese } from './texts/pt.ts'
import { swedish } from './texts/sv.ts'
import { chinese } from './texts/zh.ts'

/** A text in English, German and French. The other languages are in `texts/`, by the English text. */
export type Texts = { en: string; de: string; fr: string }
export const say = (en: string, de: string, fr: string): Texts => ({ en, de, fr })

/** The languages of `texts/`. */
export const translated = {
  ar: arabic,
  es: spanish,
  it: italian,
  ja: japanese,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  sv: swedish,
  zh: chinese,
}

/**
 * The languages of customer pages. A new language is a file of `texts/` and an entry above; a test lists its missing
 * texts.
 */
export type Language = keyof Texts | keyof typeof translated
export const languages: readonly Language[] = ['en', 'de', 'fr', ...(Object.keys(translated) as (keyof typeof translated)[])]

/** Returns the direction of a language's script, as an HTML value. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Returns a text in a language; undefined if the text is not translated yet. */
export const translation = (texts: Texts, language: Language): string | undefined =>
  language in translated ? translated[language as keyof typeof translated][texts.en] : texts[language as keyof Texts]

/** Returns a text in a language, else in English. */
export const inLanguage = (texts: Texts, language: Language): string => translation(texts, language) ?? texts.en

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

/**
 * Returns the language of a page, by these sources in order: the address, the configuration, the browser. English if
 * none of them names a known language.
 */
export function localizationOf(asked: readonly (string | undefined)[], acceptLanguage: string | undefined): Localization {
  for (const tag of [...asked, ...preferredLanguages(acceptLanguage)]) {
    const found = tag === undefined ? null : known(tag)
    if (found) return found
  }
  return { language: 'en', locale: 'en' }
}
