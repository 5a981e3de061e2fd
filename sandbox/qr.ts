// QR codes (ISO/IEC 18004): bytes, error correction L, versions 1 to 9, mask 0. As a PNG in a data URL.

import { crc32, deflateSync } from 'node:zlib'

/**
 * The number of blocks of each version, the data and correction words of each block, and the positions of the
 * alignment patterns.
 */
const versions = [
  { blocks: 1, data: 19, correction: 7, alignment: [] },
  { blocks: 1, data: 34, correction: 10, alignment: [6, 18] },
  { blocks: 1, data: 55, correction: 15, alignment: [6, 22] },
  { blocks: 1, data: 80, correction: 20, alignment: [6, 26] },
  { blocks: 1, data: 108, correction: 26, alignment: [6, 30] },
  { blocks: 2, data: 68, correction: 18, alignment: [6, 34] },
  { blocks: 2, data: 78, correction: 20, alignment: [6, 22, 38] },
  { blocks: 2, data: 97, correction: 24, alignment: [6, 24, 42] },
  { blocks: 2, data: 116, correction: 30, alignment: [6, 26, 46] },
] as const

/** The longest text, in bytes. Mode and length take two of the 232 bytes. */
const LONGEST = 230

/** The tables of GF(256) with the polynomial 0x11d: powers of 2, and their logarithms. */
const powers = new Uint8Array(255)
const logs = new Uint8Array(256)
for (let i = 0, x = 1; i < 255; i++) {
  powers[i] = x
  logs[x] = i
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0)
}
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : powers[(logs[a]! + logs[b]!) % 255]!)

/** Returns the error correction words: the remainder of the data divided by the generator of this degree. */
function correctionOf(data: Uint8Array, degree: number): Uint8Array {
  const generator = new Uint8Array(degree)
  generator[degree - 1] = 1
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    for (let j = 0; j < degree; j++) generator[j] = times(generator[j]!, root) ^ (generator[j + 1] ?? 0)
  }
  const rest = new Uint8Array(degree)
  for (const byte of data) {
    const factor = byte ^ rest[0]!
    rest.copyWithin(0, 1)
    rest[degree - 1] = 0
    for (let j = 0; j < degree; j++) rest[j]! ^= times(generator[j]!, factor)
  }
  return rest
}

/**
 * Returns the words in the order in which they are placed: those of all blocks interleaved, then their correction
 * words.
 */
function codewordsOf(text: Buffer, { blocks, data, correction }: (typeof versions)[number]): Uint8Array {
  const bits = Buffer.alloc(blocks * data)
  for (let i = 0; i < bits.length; i++) bits[i] = i % 2 === (text.length + 2) % 2 ? 0xec : 0x11
  // The mode takes four bits and the length eight, so all bytes are shifted by half a byte.
  const whole = Buffer.from([0x4, text.length, ...text, 0])
  for (let i = 0; i < text.length + 2; i++) bits[i] = ((whole[i]! << 4) | (whole[i + 1]! >> 4)) & 0xff
  const parts = Array.from({ length: blocks }, (_, i) => bits.subarray(i * data, (i + 1) * data))
  const corrections = parts.map(part => correctionOf(part, correction))
  const inTurn = (from: Uint8Array[], count: number) =>
    Array.from({ length: count * blocks }, (_, i) => from[i % blocks]![Math.floor(i / blocks)]!)
  return Uint8Array.from([...inTurn(parts, data), ...inTurn(corrections, correction)])
}

/** Returns the modules, row by row: true is dark. */
function modulesOf(content: string): boolean[][] {
  const text = Buffer.from(content)
  const number = versions.findIndex(({ blocks, data }) => blocks * data >= text.length + 2) + 1
  if (number === 0) throw new Error(`a code of at most ${LONGEST} bytes can be made`)
  const version = versions[number - 1]!
  const size = 17 + 4 * number
  const dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const set = (x: number, y: number, is: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    dark[y]![x] = is
    fixed[y]![x] = true
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4)
      }
  const last = size - 7
  for (const cy of version.alignment)
    for (const cx of version.alignment) {
      if ((cx === 6 && (cy === 6 || cy === last)) || (cx === last && cy === 6)) continue
      for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  // The format bits for correction L and mask 0, by table C.1: 01000, masked.
  const format = 0x77c4
  const bit = (i: number) => ((format >> i) & 1) === 1
  for (let i = 0; i <= 5; i++) set(8, i, bit(i))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i))
  set(8, size - 8, true)
  if (number >= 7) {
    let rest = number
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
    const code = (number << 12) | rest
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
      set(a, b, ((code >> i) & 1) === 1)
      set(b, a, ((code >> i) & 1) === 1)
    }
  }
  const laid = codewordsOf(text, version)
  let at = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let vertical = 0; vertical < size; vertical++) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - vertical : vertical
        if (fixed[y]![x]) continue
        const is = at < laid.length * 8 && ((laid[at >> 3]! >> (7 - (at & 7))) & 1) === 1
        dark[y]![x] = is !== ((x + y) % 2 === 0)
        at++
      }
    }
  }
  return dark
}

const SCALE = 4
const QUIET = 4

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns the code as a PNG with one bit per pixel. */
export function codeImage(content: string): Buffer {
  const modules = modulesOf(content)
  const side = (modules.length + 2 * QUIET) * SCALE
  const row = 1 + Math.ceil(side / 8)
  const points = Buffer.alloc(row * side, 0xff)
  for (let y = 0; y < side; y++) {
    points[y * row] = 0
    for (let x = 0; x < side; x++) {
      if (modules[Math.floor(y / SCALE) - QUIET]?.[Math.floor(x / SCALE) - QUIET]) points[y * row + 1 + (x >> 3)]! &= ~(0x80 >> (x & 7))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(points, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const codeUrl = (content: string): string => `data:image/png;base64,${codeImage(content).toString('base64')}`
