import { inspect } from 'node:util'

/**
 * Text that must not be printed: card numbers, CVCs, keys. An accidental conversion to text (JSON, a template, a log
 * line, `inspect`, an error) gives `[secret]`. Only `reveal()` returns the text itself.
 */
export class Secret {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  reveal(): string {
    return this.#text
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [inspect.custom](): string {
    return '[secret]'
  }
}
