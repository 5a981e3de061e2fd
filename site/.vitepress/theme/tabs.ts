/** Where the choice of a reader is kept: the label of the tab that they last chose. */
const KEPT = 'switchyard-docs-tab'

const wordsOf = (tab: Element | null): string => tab?.textContent?.trim() ?? ''

/** Shows the tab that says this in every code group that has one, by the library's own marks. */
function showEverywhere(words: string): void {
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const tabs = [...group.querySelectorAll('.tabs label')]
    const at = tabs.findIndex(tab => wordsOf(tab) === words)
    if (at < 0) continue
    for (const [i, input] of group.querySelectorAll<HTMLInputElement>('.tabs input').entries()) input.checked = i === at
    for (const [i, block] of [...(group.querySelector('.blocks')?.children ?? [])].entries()) block.classList.toggle('active', i === at)
  }
}

/** A browser may keep nothing: the choice is then this page's. */
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
    // The page shows it all the same.
  }
}

/** A reader who chose Node once sees Node in every code group, on this page and the next ones. */
export function keepTabs(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group .tabs')) return
    const tab = target.nextElementSibling
    if (tab === null) return
    const top = tab.getBoundingClientRect().top
    keep(wordsOf(tab))
    showEverywhere(wordsOf(tab))
    // What is above may be longer now: what was pressed stays where it was.
    window.scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  // Pages come and go without a load, each with groups that show their first tab.
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
