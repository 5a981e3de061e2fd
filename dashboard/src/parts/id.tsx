import { type MouseEvent, type ReactElement, useState } from 'react'
import { Icon } from './icons'

/** Prefix and last eight: what two ids on a page are told apart by. */
export const shortId = (id: string): string => (id.length > 18 ? `${/^[a-z]+_/.exec(id)?.[0] ?? ''}…${id.slice(-8)}` : id)

/** An id that a click copies; `short` in lists. */
export function Id({ id, short }: { id: string | null | undefined; short?: boolean }): ReactElement {
  const [copied, setCopied] = useState(false)
  if (!id) return <span className="faint">–</span>
  const copy = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
    void navigator.clipboard.writeText(id).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    })
  }
  return (
    <button type="button" className="id" onClick={copy} title={short ? id : undefined}>
      <span className="cut">{short ? shortId(id) : id}</span>
      <Icon name={copied ? 'tick' : 'copy'} size={12} />
      <span className="unseen" aria-live="polite">
        {copied ? 'Copied' : 'Copy'}
      </span>
    </button>
  )
}
