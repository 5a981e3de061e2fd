import { type ReactElement, useSyncExternalStore } from 'react'

// What was copied, or happened elsewhere; what an action came to stands where the action was.

const LASTS_MS = 2000

let text = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
function become(next: string): void {
  text = next
  for (const listener of listeners) listener()
}

export function toast(says: string): void {
  become(says)
  clearTimeout(timer)
  timer = setTimeout(() => become(''), LASTS_MS)
}

export const copy = (what: string, says = 'Copied'): void =>
  void navigator.clipboard.writeText(what).then(
    () => toast(says),
    () => toast('The browser does not let this page copy.'),
  )

/** The curl that reads an object, for a key of one's own. */
export const copyCurl = (path: string): void => copy(`curl ${location.origin}${path} -H "api-key: $KEY"`, 'Copied the curl that reads it')

export function Toast(): ReactElement {
  const says = useSyncExternalStore(subscribe, () => text)
  return (
    <p className="toast" role="status" data-shown={says !== '' || undefined}>
      {says}
    </p>
  )
}
