import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import { Failure } from '../api'
import { useSession } from '../session'
import { StatusMark } from './status'

/** Shows an error in place of data that could not be read. The rest of the page stays usable. */
export function LoadError({ what, error, retry }: { what: string; error: unknown; retry?: () => void }): ReactElement {
  const failure = error instanceof Failure ? error : null
  const { user } = useSession()
  const isGone = failure?.status === 404
  const isForbidden = failure?.status === 403
  const title = isGone
    ? `No such ${what} here. It may be of another merchant.`
    : isForbidden
      ? `Your role, ${user?.role ?? 'operator'}, cannot see this. Owners and admins can change roles.`
      : `${what} could not be read.`
  return (
    <div className="note person" role="alert">
      <StatusMark family="person" size={16} />
      <div className="grow">
        <p className="strong">{title}</p>
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
      {retry !== undefined && !isGone && !isForbidden && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
