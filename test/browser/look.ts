import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'

// Checks that every page of a link must pass.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor()

type Finding = {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string; any: { data: { messageKey?: string } | null }[] }[]
}

/** Gives the serious findings of axe-core on a page or in a frame, without the frames within. */
export async function barriers(page: Page | Frame): Promise<string[]> {
  // The page's policy allows only scripts with its nonce; axe-core is injected through the debugger.
  await page.evaluate(axe)
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], iframes: false })",
  )) as { violations: Finding[]; incomplete: Finding[] }
  // axe-core takes text in the color of its background for hidden on purpose, and reports it only as incomplete.
  const unseen = found.incomplete.flatMap(one => {
    const nodes = one.nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio'))
    return nodes.length > 0 ? [{ ...one, nodes }] : []
  })
  return [...found.violations, ...unseen]
    .filter(({ impact }) => impact === 'serious' || impact === 'critical' || impact === 'moderate')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`)
}

export const isNotWider = async (page: Page, width: number) => equal(await page.evaluate('document.documentElement.scrollWidth'), width)

/**
 * Stores pictures of a page in the folder `SEE`, if this is set, for a person to look at: light and dark, wide and on
 * a phone. Leaves the page as it was.
 */
export async function see(page: Page, name: string): Promise<void> {
  const { SEE } = process.env
  if (SEE === undefined) return
  const before = page.viewportSize()!
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const { of, ...size } of [
      { of: 'wide', ...before },
      { of: 'phone', width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      await page.screenshot({ path: join(SEE, `${name}-${colorScheme}-${of}.png`), animations: 'disabled' })
    }
    await page.setViewportSize(before)
  }
  await page.emulateMedia({ colorScheme: null })
  // A screenshot ends the transitions of colors.
  await page.screenshot({ animations: 'disabled' })
}
