import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Bytes that are decoded at once: of a longer chunk in turns, so that others are answered; shorter ones are joined. */
const PIECE = 65_536

async function* piecesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const bytes of source) {
    held.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    length += bytes.byteLength
    if (length < PIECE) continue
    const whole = held.length === 1 ? held[0]! : Buffer.concat(held)
    let from = 0
    for (; from + PIECE <= whole.length; from += PIECE) yield whole.subarray(from, from + PIECE)
    // A copy: a view would keep the whole chunk.
    held = from < whole.length ? [Buffer.from(whole.subarray(from))] : []
    length = whole.length - from
  }
  if (length > 0) yield Buffer.concat(held)
}

/** How many of the last bytes begin a character of UTF-8 that does not end. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** In UTF-8 until a byte cannot be: then in Windows-1252, if nothing before it was more than ASCII. */
class Utf8 {
  #rest: Buffer = Buffer.alloc(0)
  #plain = true
  #windows: TextDecoder | null = null

  get encoding(): Encoding {
    return this.#windows ? 'windows-1252' : 'utf-8'
  }

  decode(piece: Buffer, last: boolean): string {
    if (this.#windows) return this.#windows.decode(piece, { stream: true })
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece
    if (isAscii(bytes)) {
      this.#rest = Buffer.alloc(0)
      return bytes.toString('latin1')
    }
    const whole = bytes.length - (last ? 0 : unfinished(bytes))
    const text = bytes.subarray(0, whole)
    this.#rest = Buffer.from(bytes.subarray(whole))
    if (!isUtf8(text) && this.#plain) {
      this.#windows = new TextDecoder('windows-1252')
      return this.#windows.decode(bytes, { stream: true })
    }
    this.#plain &&= isAscii(text)
    return text.toString('utf8')
  }
}

class Utf16 {
  #rest: Buffer = Buffer.alloc(0)
  readonly encoding: Encoding
  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.encoding = encoding
  }

  decode(piece: Buffer): string {
    const bytes = Buffer.concat([this.#rest, piece])
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
    this.#rest = bytes.subarray(whole.length)
    if (this.encoding === 'utf-16be') whole.swap16()
    return whole.toString('utf16le')
  }
}

function decoderOf(first: Buffer): { decoder: Utf8 | Utf16; mark: number } {
  if (first[0] === 0xff && first[1] === 0xfe) return { decoder: new Utf16('utf-16le'), mark: 2 }
  if (first[0] === 0xfe && first[1] === 0xff) return { decoder: new Utf16('utf-16be'), mark: 2 }
  return { decoder: new Utf8(), mark: first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf ? 3 : 0 }
}

/**
 * Decodes a file in pieces, without its byte order mark. The encoding is found: UTF-16 by its mark, UTF-8, else
 * Windows-1252. It can still change from UTF-8 to Windows-1252 in a later piece.
 */
export async function* decodeText(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ text: string; encoding: Encoding }, undefined> {
  let decoder: Utf8 | Utf16 | null = null
  let before: Buffer | null = null
  for await (const piece of piecesOf(source)) {
    if (before !== null) yield { text: decoder!.decode(before, false), encoding: decoder!.encoding }
    else {
      const found = decoderOf(piece)
      decoder = found.decoder
      before = piece.subarray(found.mark)
      continue
    }
    before = piece
  }
  if (before !== null) yield { text: decoder!.decode(before, true), encoding: decoder!.encoding }
  return undefined
}
