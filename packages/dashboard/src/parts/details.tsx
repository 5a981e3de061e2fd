import type { ReactElement, ReactNode } from 'react'

type Line = readonly [name: string, value: ReactNode]

/** Shows a list of names with their values. Unknown values are left out. */
export function Details({ title, lines }: { title: string; lines: readonly Line[] }): ReactElement | null {
  const known = lines.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
  if (known.length === 0) return null
  return (
    <section className="details">
      <h2 className="t">{title}</h2>
      <dl className="kv">
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Panel({
  title,
  hint,
  acts,
  children,
}: {
  title: string
  hint?: ReactNode
  acts?: ReactNode
  children: ReactNode
}): ReactElement {
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2 className="t">{title}</h2>
        {hint !== undefined && <span className="muted">{hint}</span>}
        {acts !== undefined && <div className="acts">{acts}</div>}
      </header>
      {children}
    </section>
  )
}
