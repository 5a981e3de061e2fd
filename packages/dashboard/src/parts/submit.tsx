import { type ReactElement, useRef, useState } from 'react'
import { Failure } from '../api'
import { Note } from './note'

/** Returns a new Idempotency-Key. It is unguessable, also if the page is not served over TLS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

export type Submit = { isBusy: boolean; failure: Failure | null; go(): Promise<boolean>; forget(): void }

/**
 * Sends a form. The Idempotency-Key stays the same until there is a clear refusal, so a request that is repeated after
 * a lost answer is not executed twice.
 */
export function useSubmit(send: (key: string) => Promise<void>): Submit {
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

type ErrorProps = {
  failure: Failure | null
  /** Whether the error is already shown at its field. */
  isAtField?: boolean
  /** What another try does after an answer was lost. */
  lost?: string
}

export function SubmitError({ failure, isAtField, lost = 'Sending it again has no second effect.' }: ErrorProps): ReactElement | null {
  if (failure === null) return null
  const { isLost, message, code, help } = failure
  return (
    <Note family={isLost ? 'unknown' : 'no'} role="alert">
      {isLost ? (
        <p>The answer was lost, so it is not certain whether this was done. {lost}</p>
      ) : isAtField ? (
        <p>Nothing was saved: see the field that is marked.</p>
      ) : (
        <>
          <p className="strong">
            {message} <span className="code">{code}</span>
          </p>
          {help && <p>{help}</p>}
        </>
      )}
    </Note>
  )
}
