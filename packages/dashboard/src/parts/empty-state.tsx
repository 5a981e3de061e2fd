import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { Code } from './scrollable'

type Props = {
  /** Clears the filters above the list; null if no filter is set. */
  clear: (() => void) | null
  /** A hint that rows exist outside of the period: `There are 212 in the last 90 days.` */
  elsewhere?: ReactNode
  /** The heading if there has never been a row. */
  title: string
  hint?: ReactNode
  /** A curl command that creates the first object. */
  curl?: string
  children?: ReactNode
}

/** Shows the text of a list without rows: nothing matches the filters, or there are no objects yet. */
export function EmptyState({ clear, elsewhere, title, hint, curl, children }: Props): ReactElement {
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
      {curl && <Code>{curl}</Code>}
      {children}
    </div>
  )
}

/** Returns a curl command that posts to this deployment. The developer fills in the API key. */
export const curlOf = (path: string, body: object): string =>
  `curl ${location.origin}${path} \\\n  -H "api-key: snd_…" -H "content-type: application/json" \\\n  -d '${JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')}'`
