import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { Icon } from '../../parts/icons'
import { Table } from '../../parts/table'

type Right = Schemas['Roles']['permissions'][number]

const yes = (
  <>
    <Icon name="tick" />
    <span className="unseen">yes</span>
  </>
)

/** Shows a table of the permissions that each role has in this mode, as the service reports them. */
export default function Rights(): ReactElement {
  const { data } = useQuery({ queryKey: ['roles'], queryFn: () => answer(GET('/roles')) })
  return (
    <Panel title="What each role may do" hint="in this mode">
      <Table
        title="Rights"
        rows={data?.permissions}
        keyOf={({ permission }) => permission}
        columns={[
          { name: 'Right', hint: ({ permission }) => permission, cell: ({ allows }) => allows },
          ...(data?.roles ?? []).map(({ role, permissions }) => ({
            name: role,
            cell: ({ permission }: Right) => (permissions.includes(permission as never) ? yes : <span className="faint">no</span>),
          })),
        ]}
      />
    </Panel>
  )
}
