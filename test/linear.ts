import { ok } from 'node:assert/strict'

/** Repeats of these, with these ends, are the shapes of text that made readers slow. */
const units = [
  'id=tr_a&', 'a=', '&', '=', ' ', '\t', '\n', '\r\n', '"', '""', '","', '" ', ',', ';', '; ', '0', '1', '1 ', '4 ', '41', '.', '-', '_',
  '/', '@', 'a@', 'a.', '%', '%41', '+', '{"a":', '[', '\\', 'a', '\u00e9', '\u0661', '<a>', '<!-', '_secret_', 'a=b;',
] // biome-ignore format: a table reads better in lines
const ends = ['\n', 'x']

type Shape = { unit: string; end: string }
const shapes: readonly Shape[] = units.flatMap(unit => ends.map(end => ({ unit, end })))

/** How many times longer the second text of each shape is. */
const TIMES = 8
/** How many times longer it may take. Quadratic time is 64 times as long. */
const MOST = 24
/** What takes less than this, in microseconds of the processor, is not compared. */
const LEAST_US = 30_000

async function cost(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * Checks that a reader takes linear time for hostile texts of two sizes, as a ratio of processor times. `size`: the
 * length of the longer text. `around`: puts a shape where the reader expects text. A reader may refuse.
 */
export async function takesLinearTime(
  name: string,
  size: number,
  read: (text: string) => unknown,
  around: (text: string) => string = text => text,
): Promise<void> {
  const of = ({ unit, end }: Shape, length: number) => around(unit.repeat(Math.ceil(length / unit.length)) + end)
  const once = async (text: string) => {
    try {
      await read(text)
    } catch {}
  }
  for (const shape of shapes) {
    const long = await cost(() => once(of(shape, size)))
    if (long < LEAST_US) continue
    // A slow machine, or one that collects garbage just now, is measured again.
    let ratio = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3 && ratio > MOST; tries++) {
      const short = await cost(() => once(of(shape, size / TIMES)))
      ratio = (await cost(() => once(of(shape, size)))) / Math.max(short, LEAST_US / TIMES)
    }
    ok(ratio <= MOST, `${name} takes ${Math.round(ratio)} times as long for ${TIMES} times ${JSON.stringify(shape)}`)
  }
}
