import { type ReactElement, useState } from 'react'
import { useListAddress } from '../list-address'
import { Panel } from '../parts/details'
import { EmptyState } from '../parts/empty-state'
import { Choice } from '../parts/inputs'
import { PageHead } from '../parts/page-head'
import { useAccountsByLabel } from '../queries'
import { Books } from './reconciliation/close'
import { Differences } from './reconciliation/differences'
import { Fetched } from './reconciliation/fetched'
import { Files, SentFile, useFiles } from './reconciliation/files'
import { OwedPanel } from './reconciliation/owed'
import { PayoutsToBank } from './reconciliation/payouts'
import { Upload } from './reconciliation/upload'
import { WherePanel } from './reconciliation/where'

const ALL = 'all'

/** Shows the page on which processors' reports and bank statements are compared with the payments here. */
export default function Reconciliation(): ReactElement {
  const { chosen, show } = useListAddress('/reconciliation')
  const accounts = useAccountsByLabel()
  const [sent, setSent] = useState<readonly string[]>([])
  const { merchant_connector_id } = chosen
  const files = useFiles(merchant_connector_id)
  const isFirst = files.data?.length === 0 && merchant_connector_id === undefined
  const only = merchant_connector_id ?? (accounts.length === 1 ? accounts[0]!.merchant_connector_id : undefined)
  return (
    <>
      <PageHead
        title="Reconciliation"
        sub={<p className="sub">Payments, settlement lines, payouts and your bank, side by side. Every cent is matched or has a cause.</p>}
        acts={
          accounts.length > 1 && (
            <Choice
              aria-label="Account"
              data={[
                { value: ALL, label: 'All accounts' },
                ...accounts.map(one => ({ value: one.merchant_connector_id, label: one.label })),
              ]}
              value={merchant_connector_id ?? ALL}
              change={value => show(value === ALL ? {} : { merchant_connector_id: value })}
            />
          )
        }
      />
      <Upload isFirst={isFirst} merchant_connector_id={merchant_connector_id} sent={id => setSent([id, ...sent])} />
      {sent.map(id => (
        <SentFile key={id} settlement_file_id={id} close={() => setSent(sent.filter(one => one !== id))} />
      ))}
      <div className="two reconciliation">
        <div className="stack">
          {isFirst ? (
            <div className="panel">
              <EmptyState
                clear={null}
                title="No report yet."
                hint="Download a settlement or payout report at your processor, and drop it above. A program sends it so:"
                curl={`curl ${location.origin}/reconciliation/files -H "api-key: snd_…" \\\n  -F merchant_connector_id=mca_… -F file=@report.csv`}
              />
            </div>
          ) : (
            <>
              <WherePanel merchant_connector_id={merchant_connector_id} />
              <Differences filters={merchant_connector_id ? { merchant_connector_id } : {}} />
              <PayoutsToBank merchant_connector_id={merchant_connector_id} />
              <Files files={files} />
            </>
          )}
        </div>
        <aside className="stack" aria-label="What is owed, and the books">
          <OwedPanel merchant_connector_id={merchant_connector_id} />
          {only !== undefined ? (
            <Books merchant_connector_id={only} />
          ) : (
            !isFirst && (
              <Panel title="Books">
                <p className="in muted">Choose an account above to see its figures, and to close a day or a month.</p>
              </Panel>
            )
          )}
          <Fetched merchant_connector_id={merchant_connector_id} />
        </aside>
      </div>
    </>
  )
}
