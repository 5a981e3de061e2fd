import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import { answer, DELETE, Failure, GET } from '../../api'
import { Panel } from '../../parts/details'
import { type Asked, Loaded } from '../../parts/loaded'
import { SubmitError } from '../../parts/submit'
import { Table } from '../../parts/table'
import { Ago, Exact } from '../../parts/time'
import { useDeployment } from '../../queries'

type Line = { id: string; what: ReactNode; when: ReactNode; end?: { label: string; name: string } }

type Props = {
  title: string
  hint: string
  act: string
  begin(): void
  asked: Asked<{ data: readonly unknown[] }>
  lines: readonly Line[]
  /** The query that lists the entries, and the request that ends one. */
  listKey: string
  end(id: string): Promise<unknown>
}

/** Shows a panel that lists what the user has, such as sessions, with a button that ends each entry. */
function Mine({ title, hint, act, begin, asked, lines, listKey, end }: Props): ReactElement {
  const queries = useQueryClient()
  const ending = useMutation({ mutationFn: end, onSuccess: () => queries.invalidateQueries({ queryKey: [listKey] }) })
  return (
    <Panel
      title={title}
      hint={hint}
      acts={
        <Button variant="default" onClick={begin}>
          {act}
        </Button>
      }
    >
      {ending.error instanceof Failure && (
        <div className="in">
          <SubmitError failure={ending.error} />
        </div>
      )}
      <Loaded what={`Your ${title.toLowerCase()}`} asked={asked}>
        {page =>
          page?.data.length === 0 ? (
            <p className="blank">None yet.</p>
          ) : (
            <Table
              title={title}
              label={`${title}, one by one`}
              isHeadless
              rows={lines}
              keyOf={({ id }) => id}
              columns={[
                { name: 'What', cell: ({ what }) => what },
                { name: 'When', look: 'muted', cell: ({ when }) => when },
                {
                  name: '',
                  right: true,
                  cell: ({ id, end: its }) =>
                    its && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={its.name}
                        disabled={ending.isPending}
                        onClick={() => ending.mutate(id)}
                      >
                        {its.label}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

export function Devices({ everywhere }: { everywhere(): void }): ReactElement {
  const asked = useQuery({ queryKey: ['devices'], queryFn: () => answer(GET('/user/sessions')) })
  const lines = asked.data?.data.map(one => ({
    id: one.session_id,
    what: (
      <>
        <b className="strong">{one.current ? 'This device' : (one.address ?? 'A device')}</b>{' '}
        <span className="muted cut-block">{one.user_agent}</span>
      </>
    ),
    when: (
      <>
        since <Exact at={one.created} />, seen <Ago at={one.seen_at} />
      </>
    ),
    ...(!one.current && { end: { label: 'Sign out', name: `Sign out ${one.address ?? ''}` } }),
  }))
  return (
    <Mine
      title="Devices"
      hint="where you are signed in"
      act="Sign out everywhere"
      begin={everywhere}
      asked={asked}
      lines={lines ?? []}
      listKey="devices"
      end={session_id => answer(DELETE('/user/sessions/{session_id}', { params: { path: { session_id } } }))}
    />
  )
}

export function Passkeys({ add }: { add(): void }): ReactElement | null {
  const { data: deployment } = useDeployment()
  const asked = useQuery({ queryKey: ['passkeys'], queryFn: () => answer(GET('/user/passkeys')) })
  if (deployment && !deployment.sign_in.includes('passkey')) return null
  const lines = asked.data?.data.map(({ passkey_id, name, last_used_at }) => ({
    id: passkey_id,
    what: <b className="strong">{name}</b>,
    when:
      last_used_at === null ? (
        'never used'
      ) : (
        <>
          used <Ago at={last_used_at} />
        </>
      ),
    end: { label: 'Remove', name: `Remove ${name}` },
  }))
  return (
    <Mine
      title="Passkeys"
      hint="sign in by fingerprint, face or a key"
      act="Add a passkey"
      begin={add}
      asked={asked}
      lines={lines ?? []}
      listKey="passkeys"
      end={passkey_id => answer(DELETE('/user/passkeys/{passkey_id}', { params: { path: { passkey_id } } }))}
    />
  )
}
