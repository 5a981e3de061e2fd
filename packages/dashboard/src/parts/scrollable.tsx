import type { ReactElement, ReactNode } from 'react'

type Props = { label: string; className?: string; isBusy?: boolean; children: ReactNode }

/** Shows a region that scrolls sideways when it is too wide, also by keyboard: the focus stops on it. */
export function Scrollable({ label, className = 'tw', isBusy, children }: Props): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: browsers that scroll only what has the focus (Safari)
    <section className={className} tabIndex={0} aria-label={label} aria-busy={isBusy}>
      {children}
    </section>
  )
}

/** Shows text in the spacing of a program: code, a body, headers. */
export function Code({ children }: { children: ReactNode }): ReactElement {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: browsers that scroll only what has the focus (Safari)
  return <pre tabIndex={0}>{children}</pre>
}
