import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { settled } from './element.ts'

// Pictures of pages, compared with stored ones. Texts that differ from run to run (ids, times, durations) are replaced
// before a picture is taken; properties that differ between machines (the browser, its fonts) are stored beside the
// pictures.

const folder = join(import.meta.dirname, 'shots')
const note = join(folder, 'made-by.json')

/** Whether new pictures are taken instead of compared (`--renew`). */
const areRenewed = process.env.RENEW !== undefined

/**
 * The tolerance: a channel of a pixel may differ by MOST_APART, and a share of MOST_PIXELS of all pixels may differ by
 * more. This allows a word or two that a busy machine shows. A part that moves by a line is ten times as many pixels.
 */
const MOST_APART = 40
const MOST_PIXELS = 0.005

/** Gives the properties of the machine on which the look of a page depends. */
async function machineOf(page: Page): Promise<string> {
  const widths = await page.evaluate(`(() => {
    const pen = document.createElement('canvas').getContext('2d')
    return ['13px system-ui', '12px ui-monospace, SFMono-Regular, "SF Mono", Menlo, "Cascadia Mono", "Noto Sans Mono", monospace'].map(font => {
      pen.font = font
      return pen.measureText('pay_01 Wiegel • 249.00 EUR').width.toFixed(2)
    }).join(' and ')
  })()`)
  return `Chromium ${page.context().browser()!.version()} with fonts ${widths} wide`
}

/** Gives the reason why pictures cannot be compared here; null if they can. */
export async function whyNot(page: Page): Promise<string | null> {
  if (areRenewed) return null
  if (!existsSync(note)) return 'there are no pictures yet: npm test -- FILE --renew takes them'
  const { machine } = JSON.parse(readFileSync(note, 'utf8')) as { machine: string }
  const here = await machineOf(page)
  return machine === here ? null : `the pictures were made by ${machine}; here is ${here}`
}

/**
 * A script that replaces all texts that differ in each run by fixed ones, of the same length, so that nothing moves.
 */
const same = `
(() => {
  const rules = [
    [/\\b(pay|ref|dp|evt|log|mca|pro|auth|rfnd|fp|pm|cus|key|user|exc)_[A-Za-z0-9]+/g, (all, kind) => kind + '_' + '0'.repeat(all.length - kind.length - 1)],
    [/…[A-Za-z0-9]{8}\\b/g, () => '…00000000'],
    [/\\b[0-9A-Z]{26}\\b/g, () => '0'.repeat(26)],
    [/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)?( [A-Z0-9+:]+)?/g, () => '2026-11-23 10:30:00.000 UTC'],
    [/\\b\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\b/g, () => '10:30:00.000'],
    [/just now|\\d+ min ago/g, () => 'just now'],
    [/[\\d,]+ ms\\b/g, () => '100 ms'],
    [/127\\.0\\.0\\.1:\\d+/g, () => '127.0.0.1:8080'],
    [/\\.[0-9a-f]{12}@/g, () => '.000000000000@'],
  ]
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = rules.reduce((all, [what, by]) => all.replace(what, by), node.data)
    if (text !== node.data) node.data = text
    // A number and its unit may be two texts.
    if (/^[\\d,]+$/.test(node.data) && node.nextSibling?.data?.startsWith(' ms')) node.data = '100'
  }
  // Ids without a kind, of other lengths each: only their place is compared.
  for (const one of document.querySelectorAll('.kv .id .cut, .kv .mono')) if (!/_0+$/.test(one.textContent)) one.textContent = '0000000000'
})()`

/**
 * A script that compares two pictures: it gives the share of pixels that differ, and the box around them. Pictures of
 * different sizes differ in all pixels.
 */
const apart = (first: string, second: string) => `
(async () => {
  const pixels = async source => {
    const picture = new Image()
    picture.src = source
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    const pen = canvas.getContext('2d')
    pen.drawImage(picture, 0, 0)
    return pen.getImageData(0, 0, picture.width, picture.height)
  }
  const [a, b] = [await pixels('${first}'), await pixels('${second}')]
  if (a.width !== b.width || a.height !== b.height) return { share: 1, box: [0, 0, b.width, b.height] }
  let count = 0
  let box = [a.width, a.height, 0, 0]
  for (let at = 0; at < a.data.length; at += 4) {
    if (![0, 1, 2].some(channel => Math.abs(a.data[at + channel] - b.data[at + channel]) > ${MOST_APART})) continue
    count++
    const [x, y] = [(at / 4) % a.width, Math.floor(at / 4 / a.width)]
    box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]
  }
  return { share: count / (a.data.length / 4), box }
})()`

const webp = (png: string) => `
(async () => {
  const picture = new Image()
  picture.src = '${png}'
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d').drawImage(picture, 0, 0)
  return canvas.toDataURL('image/webp', 1)
})()`

/** Runs a script in a page without a policy, which can read pictures. */
async function reading<T>(page: Page, script: string): Promise<T> {
  const blank = await page.context().newPage()
  try {
    return (await blank.evaluate(script)) as T
  } finally {
    await blank.close()
  }
}

/**
 * Takes a picture of this part of the page, and compares it with the stored one. Gives a description of the
 * difference, or null. `into`: the folder of the stored picture, if it is shown elsewhere than among the tests. A page
 * that differs may not have come to rest yet, so it is looked at once more when it has.
 */
export async function compare(page: Page, name: string, part = '#page', into = folder): Promise<string | null> {
  await page.evaluate('document.fonts.ready')
  await page.mouse.move(0, 0)
  const file = join(into, `${name}.webp`)
  if (areRenewed) {
    await settled(page)
    mkdirSync(into, { recursive: true })
    const small = await reading<string>(page, webp(addressOf(await take(page, part))))
    writeFileSync(file, Buffer.from(small.split(',')[1]!, 'base64'))
    writeFileSync(note, `${JSON.stringify({ machine: await machineOf(page) }, null, 2)}\n`)
    return null
  }
  const why = await differenceFrom(file, page, name, part)
  if (why === null) return null
  await settled(page)
  return differenceFrom(file, page, name, part)
}

const addressOf = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

async function take(page: Page, part: string): Promise<Buffer> {
  await page.evaluate(same)
  return page.locator(part).screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
}

/** Gives a description of the difference between the page and the stored picture, or null. */
async function differenceFrom(file: string, page: Page, name: string, part: string): Promise<string | null> {
  const taken = await take(page, part)
  const stored = `data:image/webp;base64,${readFileSync(file).toString('base64')}`
  const { share, box } = await reading<{ share: number; box: number[] }>(page, apart(stored, addressOf(taken)))
  if (share <= MOST_PIXELS) return null
  const saw = join(process.env.SHOTS_SEEN ?? '/tmp', `${name}.png`)
  writeFileSync(saw, taken)
  const place = `between ${box.slice(0, 2).join(', ')} and ${box.slice(2).join(', ')}`
  return `${name}: ${(share * 100).toFixed(2)} % of the pixels, ${place}, are others than in ${file}; what was seen is ${saw}. npm test -- FILE --renew takes it as right`
}
