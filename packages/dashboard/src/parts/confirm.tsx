import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactElement, type ReactNode, useRef, useState } from 'react'
import { Failure } from '../api'
import { StatusMark } from './status'
import { newKey, SubmitError } from './submit'

const BUSY_TRIES = 5
const pause = (seconds: number) => new Promise(done => setTimeout(done, seconds * 1000))

type Props = {
  /** The question that the dialog asks. */
  title: string
  /** The effect on the money, in words; null while the form is not complete. */
  consequence: ReactNode | null
  /** The label of the confirming button, verb and amount: `Refund 20.00 EUR`. */
  act: string
  /** The button's label while the request is sent: `Refunding…`. */
  acting: string
  /** The label of the button that cancels: `Keep the money`. */
  keep: string
  /** Sends the request with this Idempotency-Key and resolves with its answer. */
  send(key: string): Promise<void>
  close(): void
  children?: ReactNode
}

/**
 * Asks for confirmation before money moves. All requests of one dialog have the same Idempotency-Key, so a repeated
 * request whose answer was lost is not executed twice. Only after a clear refusal does the next request get a new key.
 */
export default function Confirm({ title, consequence, act, acting, keep, send, close, children }: Props): ReactElement {
  const queries = useQueryClient()
  const key = useRef(newKey())
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const isLost = failure?.isLost === true
  /** Sends the request. When the service asks to send it later, sends it again after that time with the same key. */
  const sendInTime = async (tries = BUSY_TRIES): Promise<void> => {
    try {
      await send(key.current)
    } catch (why) {
      if (!(why instanceof Failure && why.isBusy) || tries === 0) throw why
      setWaiting(true)
      await pause(why.after ?? 1)
      await sendInTime(tries - 1)
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await sendInTime()
      // The action may have added or ended an object that needs attention.
      void queries.invalidateQueries({ queryKey: ['attention'] })
      close()
    } catch (why) {
      const error = why instanceof Failure ? why : new Failure(0, 'offline', String(why))
      if (!error.isLost) key.current = newKey()
      setFailure(error)
      setWaiting(false)
      setBusy(false)
    }
  }
  return (
    <Modal.Root opened onClose={() => !isBusy && close()} size={480} lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <div className="dialog-head">
            <Modal.Title>{title}</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </div>
          <form onSubmit={submit} className="confirm">
            <fieldset disabled={isBusy || isLost}>{children}</fieldset>
            {consequence !== null && (
              <div className="note person" data-testid="consequence">
                <StatusMark family="person" size={16} />
                <div className="grow">{consequence}</div>
              </div>
            )}
            {isWaiting && (
              <p className="note plain" role="status">
                The service is at another request for the same. This one is sent again by itself, under the same key.
              </p>
            )}
            <SubmitError failure={failure} lost="Looking it up has no second effect." />
            <footer>
              <Button variant="default" onClick={close} disabled={isBusy}>
                {keep}
              </Button>
              <Button type="submit" disabled={isBusy || consequence === null}>
                {isBusy ? acting : isLost ? 'Look it up' : act}
              </Button>
            </footer>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
