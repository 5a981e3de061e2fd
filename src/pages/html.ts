/** Builds pages as text in which nothing becomes markup by accident. */

/** Markup. Any value that is not `Html` is text, and is escaped when inserted. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character]!)

const markupOf = (piece: Piece): string =>
  piece instanceof Html
    ? piece.markup
    : piece === null || piece === undefined || piece === false
      ? ''
      : typeof piece === 'object'
        ? piece.map(markupOf).join('')
        : escapeHtml(String(piece))

/** Returns markup with inserted pieces: text is escaped, null and false insert nothing. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(parts.reduce((whole, part, i) => whole + markupOf(pieces[i - 1]) + part))

/** Returns data for the page's scripts: JSON that cannot end the script element. */
export const dataFor = (id: string, data: unknown): Html =>
  new Html(`<script type="application/json" id="${id}">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`)
