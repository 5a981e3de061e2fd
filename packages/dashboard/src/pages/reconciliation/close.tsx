import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { Loaded } from '../../parts/loaded'
import { Money } from '../../parts/money'
import { StatusMark } from '../../parts/status'
import { dayInWords } from '../../parts/time'
import { useLabels } from '../../queries'
import { usePermission, useSession } from '../../session'
import { periodInWords } from './period'

const CloseDialog = lazy(() => import('./close-dialog'))

type Close = Schemas['SettlementClose']
type Figures = Close['figures']

/** Shows the figures of a period by currency: what was settled, what was kept of it, what remained. */
function FiguresOf({ figures }: { figures: Figures }): ReactElement {
  const sums = Object.entries(figures).filter(([currency]) => currency !== '')
  if (sums.length === 0) return <p className="muted">Nothing was settled.</p>
  return (
    <>
      {sums.map(([currency, { lines, gross, fee, net }]) => (
        <dl key={currency} className="sum">
          <div>
            <dt>{plural(lines, 'line')}</dt>
            <dd>
              <Money amount={gross} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>less fees</dt>
            <dd>
              <Money amount={0 - fee} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>settled</dt>
            <dd className="strong">
              <Money amount={net} currency={currency} />
            </dd>
          </div>
        </dl>
      ))}
    </>
  )
}

export const openIn = (figures: Figures): number => Object.values(figures).reduce((sum, { open }) => sum + open, 0)

function Closed({ closes }: { closes: readonly Close[] }): ReactElement | null {
  if (closes.length === 0) return null
  return (
    <details className="fold-bar">
      <summary>{plural(closes.length, 'period')} closed</summary>
      <ul className="owes">
        {closes.slice(0, 24).map(({ after, through, figures }) => (
          <li key={through}>
            <b className="strong">{periodInWords(after, through)}</b>
            <FiguresOf figures={figures} />
            {openIn(figures) > 0 && <p className="muted small">{plural(openIn(figures), 'difference')} open when it was closed</p>}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Shows the open books of an account with their figures, and closes them; closed figures do not move any more. */
export function Books({ merchant_connector_id }: { merchant_connector_id: string }): ReactElement {
  const mayWrite = usePermission()('ledger:write')
  const { user } = useSession()
  const name = useLabels()(merchant_connector_id, null)
  const [isClosing, setClosing] = useState(false)
  const asked = useQuery({
    queryKey: ['reconciliation', 'periods', merchant_connector_id],
    queryFn: () => answer(GET('/reconciliation/periods', { params: { query: { merchant_connector_id } } })),
  })
  return (
    <Panel
      title={`Books of ${name}`}
      acts={
        <Button
          variant="default"
          size="xs"
          disabled={!mayWrite || asked.data === undefined}
          title={mayWrite ? undefined : `Your role, ${user?.role}, does not close books.`}
          onClick={() => setClosing(true)}
        >
          Close…
        </Button>
      }
    >
      <Loaded what="The books" asked={asked} isPadded>
        {page => {
          if (page === undefined) return <div className="in waits-here" aria-busy="true" />
          const { after, figures } = page.open
          const open = openIn(figures)
          return (
            <>
              <div className="in stack near">
                <p className="muted small">
                  {after === null ? 'Open from the first day on' : `Closed through ${dayInWords(after)}; since then`}
                </p>
                <FiguresOf figures={figures} />
                <p className="row small">
                  <StatusMark family={open === 0 ? 'done' : 'person'} />
                  {open === 0 ? 'No difference is open' : `${plural(open, 'difference is', 'differences are')} open`}
                </p>
              </div>
              <Closed closes={page.data} />
            </>
          )
        }}
      </Loaded>
      <Suspense>
        {isClosing && asked.data && (
          <CloseDialog merchant_connector_id={merchant_connector_id} name={name} periods={asked.data} close={() => setClosing(false)} />
        )}
      </Suspense>
    </Panel>
  )
}
