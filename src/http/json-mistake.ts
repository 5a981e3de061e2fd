/**
 * Does JSON go on here? A text that only ends too early is told from one with a mistake by where the parser stumbles.
 */
function mayGoOn(text: string): boolean {
  const at = stumble(text)
  return at === null || at >= text.length
}

/** Where `JSON.parse` stumbles; null if it does not. Of some mistakes it does not tell the place. */
function stumble(text: string): number | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const { message } = error as Error
    if (message.startsWith('Unexpected end')) return text.length
    const position = message.match(/ at position (\d+)/)?.[1]
    return position === undefined ? -1 : Number(position)
  }
}

/**
 * Says where in this text, which is not JSON, the mistake is. Nothing of the text is quoted: it may hold a card
 * number.
 */
export function placeOfMistake(text: string): string {
  let at = stumble(text) ?? text.length
  if (at < 0) {
    // The parser does not tell, so the longest good beginning is looked for by halving.
    let good = 0
    for (let bad = text.length; bad - good > 1; ) {
      const middle = (good + bad) >> 1
      if (mayGoOn(text.slice(0, middle))) good = middle
      else bad = middle
    }
    at = good
  }
  const lines = text.slice(0, at).split('\n')
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return at >= text.length ? `it ends too early, at ${place}` : `there is a mistake at ${place}`
}
