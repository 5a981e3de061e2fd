import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactElement } from 'react'
import { Icon } from './icons'
import { copy } from './toast'

/** Prefix and last eight: what two ids on a page are told apart by. */
export const shortId = (id: string): string => (id.length > 18 ? `${/^[a-z]+_/.exec(id)?.[0] ?? ''}…${id.slice(-8)}` : id)

/** An id that a click copies; `short` in lists. */
export function Id({ id, short }: { id: string | null | undefined; short?: boolean }): ReactElement {
  if (!id) return <span className="faint">–</span>
  const take = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
    copy(id)
  }
  return (
    <button type="button" className="id" onClick={take} title={short ? id : undefined}>
      <span className="cut">{short ? shortId(id) : id}</span>
      <Icon name="copy" size={12} />
      <span className="unseen">Copy</span>
    </button>
  )
}

/** `read`: where the interface has it, if not at the same address. */
const pages: readonly (readonly [prefix: string, place: string, read?: string])[] = [
  ['pay_', '/payments/'],
  ['ref_', '/refunds/'],
  ['dp_', '/disputes/'],
  ['pyt_', '/payouts/'],
  ['evt_', '/developers/events/', '/events/'],
  ['log_', '/developers/logs/', '/logs/'],
]

/** The page of an object by what its id begins with, if it has one. */
export function pageOf(id: string): string | null {
  const found = pages.find(([prefix]) => id.startsWith(prefix))
  return found ? found[1] + id : null
}

/** Where the interface has the object of this id. */
export function readOf(id: string): string | null {
  const found = pages.find(([prefix]) => id.startsWith(prefix))
  return found ? (found[2] ?? found[1]) + id : null
}

/** An id that leads to its page; one of an object without a page is copied. */
export function ObjectLink({ id, whole }: { id: string | null | undefined; whole?: boolean }): ReactElement {
  const page = id ? pageOf(id) : null
  if (!id || page === null) return <Id id={id} short={!whole} />
  return (
    <Link to={page} className="link mono">
      {whole ? id : shortId(id)}
    </Link>
  )
}
