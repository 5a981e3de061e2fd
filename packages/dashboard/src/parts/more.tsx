import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

/** Shows the foot of a list that grows: what is said of its rows, and the button for more of them. */
export function More({
  of: { hasMore, isBusy, more },
  children,
}: {
  of: { hasMore: boolean; isBusy: boolean; more(): void }
  children?: ReactNode
}): ReactElement | null {
  if (!hasMore && !children) return null
  return (
    <div className="foot-bar">
      {children}
      <span className="grow" />
      {hasMore && (
        <Button variant="default" size="xs" disabled={isBusy} onClick={more}>
          {isBusy ? 'Reading…' : 'Show more'}
        </Button>
      )}
    </div>
  )
}
