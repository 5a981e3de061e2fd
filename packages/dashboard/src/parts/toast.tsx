import { type ReactElement, useSyncExternalStore } from 'react'

// Short messages about copied text and events elsewhere. The result of an action is shown where the action was
// started.

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

function toast(message: string): void {
  become(message)
  clearTimeout(timer)
  timer = setTimeout(() => become(''), LASTS_MS)
}

export const copy = (what: string, message = 'Copied'): void =>
  void navigator.clipboard.writeText(what).then(
    () => toast(message),
    () => toast('The browser does not let this page copy.'),
  )

/** Copies a curl command that reads an object. The developer fills in the API key. */
export const copyCurl = (path: string): void => copy(`curl ${location.origin}${path} -H "api-key: $KEY"`, 'Copied the curl that reads it')

export function Toast(): ReactElement {
  const message = useSyncExternalStore(subscribe, () => text)
  return (
    <p className="toast" role="status" data-shown={message !== '' || undefined}>
      {message}
    </p>
  )
}
