import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { partOf } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { StatusMark } from '../../parts/status'
import { TablePanel } from '../../parts/table'
import { useLabels } from '../../queries'
import type { LedgerAccount } from '../ledger'

type Balance = Schemas['LedgerBalance']

/** Returns the difference between all debits and credits for each currency. Currencies are never added up. */
function differencesOf(balances: readonly Balance[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { currency, debit, credit } of balances) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(debit) - BigInt(credit))
  return sums
}

function Proof({ balances }: { balances: readonly Balance[] }): ReactElement | null {
  const sums = [...differencesOf(balances)]
  const off = sums.filter(([, sum]) => sum !== 0n)
  if (sums.length === 0) return null
  return (
    <span className="row">
      <StatusMark family={off.length === 0 ? 'done' : 'person'} />
      <span className="muted">
        {off.length === 0
          ? `Balanced: debits equal credits in ${sums.map(([currency]) => currency).join(', ')}`
          : off.map(([currency, sum]) => `Debits and credits differ by ${withCurrency(sum < 0n ? -sum : sum, currency)}`).join('; ')}
      </span>
    </span>
  )
}

type Asked = { currency?: string; merchant_connector_id?: string }

/**
 * Shows the balance of each account by currency. The proof covers all accounts, also when only one account is shown.
 */
export function Balances({ account, asked }: { account: LedgerAccount | undefined; asked: Asked }): ReactElement {
  const labelOf = useLabels()
  const balances = useQuery({
    queryKey: ['ledger', 'balances', asked],
    queryFn: () => answer(GET('/ledger/balances', { params: { query: asked } })),
    placeholderData: keepPreviousData,
  })
  const { data } = balances
  const profiles = new Set(data?.data.map(({ profile_id }) => profile_id))
  const side = (name: 'debit' | 'credit', title: string) => ({
    name: title,
    right: true,
    wide: true,
    cell: (balance: Balance) => <Money amount={balance[name]} currency={balance.currency} />,
  })
  return (
    <TablePanel
      isStacked
      title="Balances"
      one="balance"
      asked={partOf(balances, ({ data: all }) => all.filter(balance => !account || balance.account === account))}
      none={<p className="in muted">Nothing stands on any account.</p>}
      acts={data && <Proof balances={data.data} />}
      keyOf={({ account, profile_id, merchant_connector_id, currency }) => [account, profile_id, merchant_connector_id, currency].join(' ')}
      columns={[
        { name: 'Account', cell: balance => balance.account },
        { name: 'Connector account', cell: balance => labelOf(balance.merchant_connector_id, null) },
        ...(profiles.size > 1 ? [{ name: 'Profile', wide: true, cell: (balance: Balance) => balance.profile_id }] : []),
        side('debit', 'Debits'),
        side('credit', 'Credits'),
        { name: 'Balance', right: true, cell: balance => <Money amount={balance.balance} currency={balance.currency} /> },
      ]}
    />
  )
}
