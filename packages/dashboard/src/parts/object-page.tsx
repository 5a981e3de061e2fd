import type { ReactElement, ReactNode } from 'react'
import { type PageObject, usePageObject } from '../page-object'
import { Breadcrumb } from './breadcrumb'
import { type Asked, Loaded } from './loaded'
import { useTitle } from './page-head'

type HeadProps = {
  /** The list that has the object. */
  list: { to: string; name: string }
  title: ReactNode
  /** Whether the title is an amount. */
  isAmount?: boolean
  status?: ReactNode
  /** The line below the title. */
  sub: ReactNode
  acts?: ReactNode
}

/** Shows the head of an object's page: the way back to its list, its title, and its actions. */
export function ObjectHead({ list, title, isAmount, status, sub, acts }: HeadProps): ReactElement {
  const heading = <h1 className={isAmount ? 'amount' : undefined}>{title}</h1>
  return (
    <div className="head of-object">
      <Breadcrumb list={list.to} name={list.name} />
      <div>
        {status === undefined ? (
          heading
        ) : (
          <div className="row">
            {heading}
            {status}
          </div>
        )}
        <div className="sub">{sub}</div>
      </div>
      {acts}
    </div>
  )
}

type Props<Data> = {
  /** What the object is: `payment`. */
  kind: string
  asked: Asked<Data>
  /** The object for the palette and the shortcuts; `tab`: the title of the browser's tab. */
  object(data: Data): PageObject & { tab: string }
  children(data: Data): ReactNode
}

/** Shows the page of an object once it is read, or why it could not be read. */
export function ObjectPage<Data>({ kind, asked, object, children }: Props<Data>): ReactElement {
  const name = kind.charAt(0).toUpperCase() + kind.slice(1)
  const known = asked.data === undefined ? null : object(asked.data)
  useTitle(known?.tab ?? name)
  usePageObject(known)
  if (asked.data !== undefined) return <>{children(asked.data)}</>
  return (
    <>
      <h1 className="unseen">{name}</h1>
      <Loaded what={kind} asked={asked}>
        {() => null}
      </Loaded>
    </>
  )
}
