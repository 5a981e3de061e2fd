import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import jsqr from 'jsqr'
import { codeImage } from './qr.ts'

/** Gives the text that a phone reads from the image. */
function scanned(image: string): string | undefined {
  const png = Buffer.from(image.slice('data:image/png;base64,'.length), 'base64')
  const side = png.readUInt32BE(16)
  const packed = png.subarray(41, 41 + png.readUInt32BE(33))
  const pixels = inflateSync(packed)
  const line = 1 + Math.ceil(side / 8)
  const colours = new Uint8ClampedArray(side * side * 4)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const white = (pixels[y * line + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1
      colours.set([white * 255, white * 255, white * 255, 255], (y * side + x) * 4)
    }
  return jsqr.default(colours, side, side)?.data
}

test('a QR code scans as the text of the processor, short or long', () => {
  for (const text of [
    '1',
    'https://bank.example/pay?id=1047',
    `00020126580014br.gov.bcb.pix0136${'a'.repeat(150)}6304ABCD`,
    'x'.repeat(600),
  ])
    equal(scanned(codeImage(text)!), text)
})

test('a text that is empty, too long or cannot be encoded gives no QR code', () => {
  for (const text of ['', 'x'.repeat(1201), 'zażółć', 'a\u0000b']) equal(codeImage(text), null)
})
