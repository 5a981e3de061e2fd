import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { Id } from './id'
import { StatusMark } from './status'
import type { Family } from './status-families'

type Props = {
  /** The meaning of the note, which decides its colour and icon; `plain` has neither. */
  family: Family | 'plain'
  /** A button or link beside the text. */
  act?: ReactNode
  role?: 'alert' | 'status'
  /** Whether the note stands above the content of a page. */
  isSpaced?: boolean
  label?: string
  children: ReactNode
}

export function Note({ family, act, role, isSpaced, label, children }: Props): ReactElement {
  const Tag = label === undefined ? 'div' : 'section'
  return (
    <Tag className={`note ${family}${isSpaced ? ' spaced' : ''}`} role={role} aria-label={label}>
      {family !== 'plain' && <StatusMark family={family} size={16} />}
      <div className="grow">{children}</div>
      {act}
    </Tag>
  )
}

/** Shows a secret that the service tells only once. */
export function ShownOnce({ text, secret, close }: { text: string; secret: string; close(): void }): ReactElement {
  return (
    <Note
      family="plain"
      role="status"
      isSpaced
      act={
        <Button variant="default" onClick={close}>
          I have it
        </Button>
      }
    >
      <p className="strong">{text}</p>
      <Id id={secret} />
    </Note>
  )
}
