import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactElement } from 'react'
import { Icon } from './icons'
import { copy } from './toast'

/** Shortens an id to its prefix and its last eight characters, which are enough to distinguish the ids on a page. */
export const shortId = (id: string): string => (id.length > 18 ? `${/^[a-z]+_/.exec(id)?.[0] ?? ''}…${id.slice(-8)}` : id)

/** Shows an id that is copied with a click. `short`: the id is shortened, for lists. */
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

/**
 * Prefixes of ids with the page of their objects. `read` is the path in the interface, if it differs from the page's.
 */
const pages: readonly (readonly [prefix: string, place: string, read?: string])[] = [
  ['pay_', '/payments/'],
  ['ref_', '/refunds/'],
  ['dp_', '/disputes/'],
  ['pyt_', '/payouts/'],
  ['evt_', '/developers/events/', '/events/'],
  ['log_', '/developers/logs/', '/logs/'],
]

/** Returns the address of the page for an object, chosen by the prefix of its id; null if the object has no page. */
export function pageOf(id: string): string | null {
  const found = pages.find(([prefix]) => id.startsWith(prefix))
  return found ? found[1] + id : null
}

/** Returns the path in the interface that reads the object with this id, or null. */
export function readOf(id: string): string | null {
  const found = pages.find(([prefix]) => id.startsWith(prefix))
  return found ? (found[2] ?? found[1]) + id : null
}

/** Shows an id that links to the page of its object. The id of an object without a page is copied with a click. */
export function ObjectLink({ id, whole }: { id: string | null | undefined; whole?: boolean }): ReactElement {
  const page = id ? pageOf(id) : null
  if (!id || page === null) return <Id id={id} short={!whole} />
  return (
    <Link to={page} className="link mono">
      {whole ? id : shortId(id)}
    </Link>
  )
}
