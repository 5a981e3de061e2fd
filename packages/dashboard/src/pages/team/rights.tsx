import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET } from '../../api'
import { Panel } from '../../parts/details'
import { Icon } from '../../parts/icons'

/** Shows a table of the permissions that each role has in this mode, as the service reports them. */
export default function Rights(): ReactElement {
  const { data } = useQuery({ queryKey: ['roles'], queryFn: () => answer(GET('/roles')) })
  return (
    <Panel title="What each role may do" hint="in this mode">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
      <section className="tw" tabIndex={0} aria-label="Rights">
        <table aria-label="Rights">
          <thead>
            <tr>
              <th scope="col">Right</th>
              {data?.roles.map(({ role }) => (
                <th key={role} scope="col">
                  {role}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data?.permissions.map(({ permission, allows }) => (
              <tr key={permission}>
                <td title={permission}>{allows}</td>
                {data.roles.map(({ role, permissions }) => (
                  <td key={role}>
                    {permissions.includes(permission as never) ? (
                      <>
                        <Icon name="tick" />
                        <span className="unseen">yes</span>
                      </>
                    ) : (
                      <span className="faint">no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}
