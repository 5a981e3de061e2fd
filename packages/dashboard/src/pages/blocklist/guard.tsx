import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, POST } from '../../api'
import { LoadError } from '../../parts/load-error'
import { SubmitError, useSubmit } from '../../parts/submit'
import { usePermission } from '../../session'

/** Shows a switch for checking payments against the blocklist. It applies to the whole merchant. */
export function GuardSwitch(): ReactElement | null {
  const may = usePermission()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['blocklist', 'guard'],
    enabled: may('blocklist:read'),
    queryFn: () => answer(GET('/blocklist/toggle')),
  })
  const isOn = data?.blocklist_guard_status === 'enabled'
  const sending = useSubmit(async key => {
    await answer(POST('/blocklist/toggle', { params: { query: { status: !isOn }, header: { 'Idempotency-Key': key } } }))
    await queries.invalidateQueries({ queryKey: ['blocklist', 'guard'] })
  })
  if (error && data === undefined) return <LoadError what="The switch of the blocklist" error={error} retry={() => void refetch()} />
  if (data === undefined) return null
  return (
    <>
      <Switch
        label="Check payments against the blocklist"
        description={
          isOn
            ? 'On, for all business profiles: a blocked card fails with HE_03, and nothing is sent to a processor.'
            : 'Off: what is blocked below can still pay.'
        }
        checked={isOn}
        disabled={!may('blocklist:write') || sending.isBusy}
        onChange={() => void sending.go()}
      />
      <SubmitError failure={sending.failure} />
    </>
  )
}
