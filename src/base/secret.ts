import { inspect } from 'node:util'

/** Must not be printed: card numbers, CVCs, keys. As text, it is `[secret]`; only `reveal()` returns it. */
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
