import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { plural } from '../../format'
import { LoadError } from '../../parts/load-error'
import { type CatalogueEntry, useCatalogue } from '../../queries'

const founded: Record<CatalogueEntry['founded'], string> = {
  documented: 'By the processor’s public reference',
  partly: 'Something of it is assumed, or known from others than the processor',
  own: 'The protocol is this project’s own',
}

/** Describes in a few words which payment and payout methods a connector has. */
function takes({ payment_methods, payout_methods, testing }: CatalogueEntry): string {
  const names = payment_methods.map(one => one.payment_method)
  const some = names.length > 3 ? plural(names.length, 'method') : names.join(', ')
  return [...(some === '' ? [] : [some]), ...(payout_methods.length > 0 ? ['payouts'] : []), ...(testing ? ['the sandbox'] : [])].join(', ')
}

/** Lists all connectors that an account can be created for; the sandbox is first. */
export function Catalogue({ chosen, window }: { chosen: string | undefined; window: string }): ReactElement {
  const { data, error, refetch } = useCatalogue()
  if (error && data === undefined) return <LoadError what="The catalogue" error={error} retry={() => void refetch()} />
  return (
    <section className="catalogue" aria-label="Catalogue">
      <h2 className="t">
        Catalogue <span className="muted">with how well each is founded</span>
      </h2>
      <ul>
        {data?.map(one => (
          <li key={one.name}>
            <Link
              to="/connectors"
              search={{ window, add: one.name }}
              resetScroll={false}
              aria-current={one.name === chosen ? 'true' : undefined}
            >
              <span className="initials" aria-hidden="true">
                {one.name.slice(0, 2)}
              </span>
              <span className="grow">
                <b className="strong">{one.name}</b>
                <span className="muted cut-block">{takes(one)}</span>
              </span>
              <span className="tag" title={founded[one.founded]}>
                {one.founded}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
