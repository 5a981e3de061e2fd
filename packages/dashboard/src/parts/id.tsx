import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactElement } from 'react'
import { pageOf } from '../objects'
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

type LinkProps = {
  id: string | null | undefined
  whole?: boolean
  /** The page of the object, where its kind is known: merchants choose ids of payments themselves. */
  page?: '/payments/'
}

/** Shows an id that links to the page of its object. The id of an object without a page is copied with a click. */
export function ObjectLink({ id, whole, page }: LinkProps): ReactElement {
  const to = id ? (page ? page + id : pageOf(id)) : null
  if (!id || to === null) return <Id id={id} short={!whole} />
  return (
    <Link to={to} className="link mono">
      {whole ? id : shortId(id)}
    </Link>
  )
}
