/** The key in `localStorage` for the label of the tab that the reader last chose. */
const KEPT = 'switchyard-docs-tab'

const wordsOf = (tab: Element | null): string => tab?.textContent?.trim() ?? ''

/** Shows the tab with this label in every code group that has one, with the library's own markup. */
function showEverywhere(words: string): void {
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const tabs = [...group.querySelectorAll('.tabs label')]
    const at = tabs.findIndex(tab => wordsOf(tab) === words)
    if (at < 0) continue
    for (const [i, input] of group.querySelectorAll<HTMLInputElement>('.tabs input').entries()) input.checked = i === at
    for (const [i, block] of [...(group.querySelector('.blocks')?.children ?? [])].entries()) block.classList.toggle('active', i === at)
  }
}

/**
 * Returns the stored choice, or null. A browser may refuse storage; the choice then applies to the current page only.
 */
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

function keep(words: string): void {
  try {
    localStorage.setItem(KEPT, words)
  } catch {
    // Without storage the current page still shows the chosen tab.
  }
}

/**
 * Keeps the reader's choice of tabs: a reader who chooses Node sees Node in every code group, on this page and the
 * next ones.
 */
export function keepTabs(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group .tabs')) return
    const tab = target.nextElementSibling
    if (tab === null) return
    const top = tab.getBoundingClientRect().top
    keep(wordsOf(tab))
    showEverywhere(wordsOf(tab))
    // Blocks above the chosen tab may have changed their height. The page is scrolled so that the tab stays in place.
    window.scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  // The site changes pages without a reload. On each new page the code groups show their first tab until the stored
  // choice is applied.
  let first: Element | null = null
  const look = () => {
    const group = document.querySelector('.vp-code-group')
    if (group === first) return
    first = group
    const words = kept()
    if (group && words !== null) showEverywhere(words)
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
  look()
}
