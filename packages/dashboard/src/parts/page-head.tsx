import { type ReactElement, type ReactNode, useEffect } from 'react'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Switchyard`
  }, [title])
}

type Props = {
  title: string
  /** The title of the browser's tab, if it differs. */
  tab?: string
  /** A line below the title. */
  sub?: ReactNode
  acts?: ReactNode
}

/** Shows the head of a page: its title, and its actions. */
export function PageHead({ title, tab = title, sub, acts }: Props): ReactElement {
  useTitle(tab)
  const heading = <h1>{title}</h1>
  return (
    <div className="head">
      {sub === undefined ? (
        heading
      ) : (
        <div>
          {heading}
          {sub}
        </div>
      )}
      {acts && <div className="acts">{acts}</div>}
    </div>
  )
}
