import { type ReactElement, useRef, useState } from 'react'
import { Failure } from '../api'
import { newKey } from './idempotency'
import { StatusMark } from './status'

export type Sending = { isBusy: boolean; failure: Failure | null; go(): Promise<boolean>; forget(): void }

/**
 * Sends a form. The Idempotency-Key stays the same until there is a clear refusal, so a request that is repeated after
 * a lost answer is not executed twice.
 */
export function useSubmit(send: (key: string) => Promise<void>): Sending {
  const key = useRef(newKey())
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const go = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await send(key.current)
      key.current = newKey()
      return true
    } catch (why) {
      const error = why instanceof Failure ? why : new Failure(0, 'offline', String(why))
      if (!error.isLost) key.current = newKey()
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, go, forget: () => setFailure(null) }
}

/** Shows the error of a request in the interface's own words. `isAtField`: the error is already shown at its field. */
export function SubmitError({ failure, isAtField = false }: { failure: Failure | null; isAtField?: boolean }): ReactElement | null {
  if (failure === null) return null
  const { isLost } = failure
  return (
    <div className={`note ${isLost ? 'unknown' : 'no'}`} role="alert">
      <StatusMark family={isLost ? 'unknown' : 'no'} size={16} />
      <div className="grow">
        {isLost ? (
          <p>The answer was lost, so it is not certain whether this was done. Sending it again has no second effect.</p>
        ) : isAtField ? (
          <p>Nothing was saved: see the field that is marked.</p>
        ) : (
          <>
            <p className="strong">
              {failure.message} <span className="code">{failure.code}</span>
            </p>
            {failure.help && <p>{failure.help}</p>}
          </>
        )}
      </div>
    </div>
  )
}
