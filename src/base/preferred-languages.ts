/** Returns the language tags of a header Accept-Language (RFC 9110 12.5.4), the preferred ones first, without `*`. */
export const preferredLanguages = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(one => one.trim())
      const quality = Number(parameters.find(one => one.startsWith('q='))?.slice(2) ?? 1)
      return { tag, quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
