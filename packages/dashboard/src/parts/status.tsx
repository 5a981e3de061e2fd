import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { type Family, familyOf } from './status-families'

/** The icons: filled is final, outlined is open, dashed is not certain. The difference is readable without color. */
const marks: Record<Family, ReactElement> = {
  done: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="m5.2 8.2 2 2 3.6-4" stroke="var(--bg)" />
    </>
  ),
  held: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 4a4 4 0 0 1 0 8z" fill="currentColor" stroke="none" />
    </>
  ),
  way: <circle cx="8" cy="8" r="5.7" strokeDasharray="3 2.97" />,
  unknown: (
    <>
      <circle cx="8" cy="8" r="5.7" strokeDasharray="2 1.98" />
      <path d="M6.6 6.7c0-1.9 2.9-1.8 2.9 0 0 1.1-1.5 1.2-1.5 2.3m0 1.6v.01" />
    </>
  ),
  waits: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 5v3.2l2 1.3" />
    </>
  ),
  person: (
    <>
      <path d="M8 1.8 14.7 13.5H1.3z" fill="currentColor" strokeLinejoin="round" />
      <path d="M8 6.3v3.1m0 1.9v.01" stroke="var(--bg)" />
    </>
  ),
  no: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="m6 6 4 4m0-4-4 4" stroke="var(--bg)" />
    </>
  ),
  ended: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="M5.3 8h5.4" stroke="var(--bg)" />
    </>
  ),
}

export function StatusMark({ family, size = 14 }: { family: Family; size?: number }): ReactElement {
  return (
    <svg
      className="icon"
      style={{ color: `var(--${family})` }}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {marks[family]}
    </svg>
  )
}

/**
 * Shows a status by the interface's own name. `pill`: with a background, for the head of a page. `family`: set where
 * the status alone does not determine it.
 */
export function Status({ status, family = familyOf(status), pill }: { status: string; family?: Family; pill?: boolean }): ReactElement {
  const isQuiet = family === 'waits' || family === 'ended'
  const tint = { background: `var(--${family}-bg)`, color: isQuiet ? 'var(--text-2)' : `var(--${family})` }
  const shown = (
    <span className={pill ? 'status pill' : 'status'} style={pill ? tint : undefined}>
      <StatusMark family={family} />
      <span className="cut">{status}</span>
    </span>
  )
  return status.length > 26 && !pill ? <Tooltip label={status}>{shown}</Tooltip> : shown
}
