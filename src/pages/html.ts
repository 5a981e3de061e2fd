/** Pages as text, in which nothing becomes markup by accident. */

/** Markup: what is no `Html` is text, and is escaped where it is put in. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character]!)

const markupOf = (piece: Piece): string =>
  piece instanceof Html
    ? piece.markup
    : piece === null || piece === undefined || piece === false
      ? ''
      : typeof piece === 'object'
        ? piece.map(markupOf).join('')
        : escapeHtml(String(piece))

/** Markup with pieces in it: text is escaped, null and false are nothing. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(parts.reduce((whole, part, i) => whole + markupOf(pieces[i - 1]) + part))

/** Data for the page's scripts: JSON in which no tag can end. */
export const dataFor = (id: string, data: unknown): Html =>
  new Html(`<script type="application/json" id="${id}">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`)
