import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

type Props = {
  /** Of the filters that stand above; null if there are none. */
  clear: (() => void) | null
  /** Where there are some that only the filters hide: `There are 212 in the last 90 days.` */
  elsewhere?: ReactNode
  /** What is said where there was never one. */
  title: string
  hint?: ReactNode
  /** What makes the first. */
  curl?: string
  children?: ReactNode
}

/** What a list says that has no rows: of these filters, or none ever. */
export function Blank({ clear, elsewhere, title, hint, curl, children }: Props): ReactElement {
  if (clear !== null)
    return (
      <div className="blank">
        <h2>Nothing matches.</h2>
        {elsewhere}
        <div className="acts">
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        </div>
      </div>
    )
  return (
    <div className="blank">
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
      {curl && <pre tabIndex={0}>{curl}</pre>}
      {children}
    </div>
  )
}

/** A curl that posts to the interface of this deployment, for a key of one's own. */
export const curlOf = (path: string, body: object): string =>
  `curl ${location.origin}${path} \\\n  -H "api-key: snd_…" -H "content-type: application/json" \\\n  -d '${JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')}'`
