import { useEffect, useRef } from 'react'

// Single letters that a page understands while it is shown. They work outside of fields and dialogs, and not after `g`.

type Keys = Readonly<Record<string, () => void>>

const shown = new Set<{ current: Keys }>()

/** What this letter does on the page that is shown, if anything. */
export const ofPage = (key: string): (() => void) | undefined => [...shown].map(({ current }) => current[key]).find(Boolean)

/** Letters of the page that calls this, as long as it is shown. */
export function usePageKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    shown.add(latest)
    return () => void shown.delete(latest)
  }, [])
}
