import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readOf } from '../objects'
import { areLettersOn } from '../shortcuts'
import { cameBack } from './breadcrumb'
import { copy, copyCurl } from './toast'

/** Whether the table is wider than its place. Only then does it get a box of its own that scrolls sideways. */
export function useSideways(box: RefObject<HTMLDivElement | null>, what: unknown): boolean {
  const [isSideways, setSideways] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns and rows have another width
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const look = () => setSideways(table.offsetWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    observer.observe(table)
    look()
    return () => observer.disconnect()
  }, [box, what])
  return isSideways
}

const linksOf = (box: HTMLElement): HTMLAnchorElement[] => [...box.querySelectorAll<HTMLAnchorElement>('a.row-link')]

/** Returns the index of the row that has or contains the focus, or -1. */
const rowIn = (box: HTMLElement): number =>
  linksOf(box).findIndex(link => link === document.activeElement || link.closest('tr')?.contains(document.activeElement))

/** Handles the shortcuts of a list while one of its rows has the focus: open, mark, copy, preview. */
export function useRowKeys<Row>(rows: readonly Row[] | undefined, idOf: (row: Row) => string) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [previewed, setPreviewed] = useState<string | null>(null)
  const last = useRef(0)
  const mark = (from: number, to: number, isOn: boolean) => {
    const next = new Set(marked)
    for (const row of (rows ?? []).slice(Math.min(from, to), Math.max(from, to) + 1)) next[isOn ? 'add' : 'delete'](idOf(row))
    setMarked(next)
    last.current = to
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key } = event
    const isLetter = key.length === 1
    if (event.ctrlKey || event.metaKey || event.altKey || (isLetter && !areLettersOn())) return
    const box = event.currentTarget
    const links = linksOf(box)
    const at = rowIn(box)
    const row = rows?.[at]
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    const focus = (to: number) => {
      links[to]?.focus({ preventScroll: true })
      links[to]?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    }
    const id = row === undefined ? '' : idOf(row)
    const acts: Record<string, () => void> = {
      ...(by !== undefined && { [key]: () => focus(Math.max(0, Math.min(links.length - 1, at + by))) }),
      ...(row !== undefined && {
        o: () => void window.open(links[at]!.href, '_blank', 'noreferrer'),
        x: () => mark(at, at, !marked.has(id)),
        X: () => mark(last.current, at, true),
        c: () => copy(id, `Copied ${id}`),
        C: () => copyCurl(readOf(id) ?? links[at]!.pathname),
      }),
      ...(row !== undefined && document.activeElement === links[at] && { ' ': () => setPreviewed(previewed === id ? null : id) }),
      ...(previewed !== null && { Escape: () => setPreviewed(null) }),
    }
    if (!acts[key]) return
    event.preventDefault()
    acts[key]()
  }
  const follow = (id: string) => void (previewed !== null && setPreviewed(id))
  const clear = () => setMarked(new Set())
  return { marked, clear, previewed: rows?.find(row => idOf(row) === previewed), close: () => setPreviewed(null), follow, hear: onKeyDown }
}

/** Focuses the row that was opened before, when the user comes back to the list. */
export function useReturn(box: RefObject<HTMLDivElement | null>, opened: string | null, tos: readonly string[] | undefined): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || tos === undefined || box.current === null) return
    isDone.current = true
    const at = opened !== null && cameBack() ? tos.indexOf(opened) : -1
    if (at >= 0) linksOf(box.current)[at]?.focus({ preventScroll: true })
  }, [box, opened, tos])
}
