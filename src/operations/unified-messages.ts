import texts from './unified-messages.json' with { type: 'json' }

/** By language of shoppers; English is in `failure.ts`. Texts of processors and of rules are not translated. */
const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = texts

/** Chinese in traditional characters. The texts are in simplified ones. */
const TRADITIONAL = /^zh[-_](?:hant|tw|hk|mo)\b/i

/** Returns the first of these languages that has messages; undefined if English comes first, or none has. */
function languageOf(tags: readonly string[]): string | undefined {
  // Browsers add `zh` after `zh-TW`, which then means the same characters.
  const isTraditional = tags.some(tag => TRADITIONAL.test(tag))
  const known = tags
    .filter(tag => !TRADITIONAL.test(tag) && !(isTraditional && tag.toLowerCase() === 'zh'))
    .map(tag => tag.toLowerCase().split(/[-_]/)[0]!)
    .find(language => language === 'en' || Object.hasOwn(messages, language))
  return known === 'en' ? undefined : known
}

/** In the first known language (`de-AT`); `english` if none is known, or if that is not the code's usual message. */
export function unifiedIn(languages: readonly string[], code: string, english: string, usual: string | undefined): string {
  const language = english === usual ? languageOf(languages) : undefined
  return (language && messages[language]?.[code]) ?? english
}
