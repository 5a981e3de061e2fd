import { crc32, deflateSync } from 'node:zlib'
import qrcode from 'qrcode-generator'

/** The code of a longer text could not be scanned from a screen. */
const LONGEST = 1200
/** Pixels of a module, and modules of the quiet zone around the code (ISO/IEC 18004). */
const PIXELS = 4
const QUIET = 4

/** A PNG in a data URL. Null: the text is too long, or not printable ASCII. */
export function codeImage(text: string): string | null {
  if (text.length > LONGEST || !/^[\x20-\x7e]+$/.test(text)) return null
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const modules = code.getModuleCount()
  const isDark = (row: number, column: number) => row >= 0 && row < modules && column >= 0 && column < modules && code.isDark(row, column)
  const side = (modules + 2 * QUIET) * PIXELS
  const line = 1 + Math.ceil(side / 8)
  const pixels = Buffer.alloc(line * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (!isDark(Math.floor(y / PIXELS) - QUIET, Math.floor(x / PIXELS) - QUIET)) pixels[y * line + 1 + (x >> 3)]! |= 0x80 >> (x & 7)
  return `data:image/png;base64,${pngOf(side, pixels).toString('base64')}`
}

/** One bit per pixel, 1 is white; each line begins with its filter type, which is none (ISO/IEC 15948). */
function pngOf(side: number, pixels: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const whole = Buffer.alloc(12 + data.length)
    whole.writeUInt32BE(data.length)
    whole.write(type, 4, 'latin1')
    data.copy(whole, 8)
    whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
    return whole
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
