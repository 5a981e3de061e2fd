import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import { Failure } from '../interface'
import { StatusMark } from './status'

/** What could not be had, in its own place; the rest of the page goes on. */
export function Failed({ what, error, again }: { what: string; error: unknown; again?: () => void }): ReactElement {
  const failure = error instanceof Failure ? error : null
  const isGone = failure?.status === 404
  return (
    <div className="note person" role="alert">
      <StatusMark family="person" size={16} />
      <div className="grow">
        <p className="strong">{isGone ? `No such ${what} here. It may be of another merchant.` : `${what} could not be read.`}</p>
        <p>
          {failure === null
            ? String(error)
            : failure.status === 0
              ? 'The service does not answer.'
              : `${failure.message} (${failure.code}, ${failure.status})`}
          {failure?.help && !isGone && <> {failure.help}</>}
        </p>
        {failure?.requestId && (
          <p className="faint">
            request <span className="mono">{failure.requestId}</span>
          </p>
        )}
      </div>
      {again !== undefined && (
        <Button variant="default" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  )
}
