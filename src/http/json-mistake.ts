/** Valid up to its end: the error's position tells a text that only ends too early from one with a mistake. */
function mayGoOn(text: string): boolean {
  const at = stumble(text)
  return at === null || at >= text.length
}

/** Where `JSON.parse` fails; null if it succeeds, -1 if its error message has no position. */
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

/** The position of the mistake, in words. Nothing of the text is quoted: it may contain a card number. */
export function placeOfMistake(text: string): string {
  let at = stumble(text) ?? text.length
  if (at < 0) {
    // The parser does not report the position, so the longest valid beginning is found by bisection.
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
