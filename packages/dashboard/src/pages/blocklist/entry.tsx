import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactElement, useState } from 'react'
import { answer, DELETE, POST, type Schemas } from '../../api'
import Confirm from '../../parts/confirm'
import { Field, fieldErrors } from '../../parts/form'
import { Choice } from '../../parts/inputs'
import { SubmitError, useSubmit } from '../../parts/submit'

type Entry = Schemas['BlocklistEntry']

/** The kinds of blocklist entries: the name in lists, the type in requests, and the words of the page. */
export const kinds = [
  { data_kind: 'card_bin', type: 'card_bin', label: 'Card BINs', one: 'Card BIN', expected: 'The first 6 digits of card numbers' },
  {
    data_kind: 'extended_card_bin',
    type: 'extended_card_bin',
    label: 'Extended BINs',
    one: 'Extended BIN',
    expected: 'The first 8 digits of card numbers',
  },
  {
    data_kind: 'payment_method',
    type: 'fingerprint',
    label: 'Fingerprints',
    one: 'Fingerprint',
    expected: 'The 20 letters and digits of a card’s fingerprint, as payments show it',
  },
] as const
export type Kind = (typeof kinds)[number]

/** Shows a form that adds an entry to the blocklist. */
export function Block({ kind, blocked }: { kind: Kind; blocked(data: string): void }): ReactElement {
  const queries = useQueryClient()
  const [data, setData] = useState('')
  const [type, setType] = useState<Kind['type']>(kind.type)
  const chosen = kinds.find(one => one.type === type)!
  const sending = useSubmit(async key => {
    await answer(POST('/blocklist', { params: { header: { 'Idempotency-Key': key } }, body: { type, data: data.trim() } }))
    await queries.invalidateQueries({ queryKey: ['blocklist', 'list'] })
    blocked(data.trim())
    setData('')
  })
  const errors = fieldErrors(sending.failure, ['data'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (data.trim() !== '') void sending.go()
  }
  return (
    <form className="stack settings" onSubmit={submit} aria-label="Block">
      <Choice label="What" data={kinds.map(({ type: value, one }) => ({ value, label: one }))} value={type} change={setType} />
      <Field
        field={{ name: 'data', label: chosen.one, hint: chosen.expected, kind: 'text' }}
        value={data}
        error={errors.data}
        change={value => setData(String(value))}
      />
      <SubmitError failure={sending.failure} isAtField={'data' in errors} />
      <div>
        <Button type="submit" disabled={data.trim() === '' || sending.isBusy}>
          {sending.isBusy ? 'Blocking…' : 'Block'}
        </Button>
      </div>
    </form>
  )
}

export default function Unblock({ entry, close }: { entry: Entry; close(): void }): ReactElement {
  const queries = useQueryClient()
  const { data_kind, fingerprint_id } = entry
  const kind = kinds.find(one => one.data_kind === data_kind)!
  return (
    <Confirm
      title={`Unblock ${fingerprint_id}?`}
      act="Unblock"
      acting="Unblocking…"
      keep="Keep it blocked"
      close={close}
      consequence={
        <p>
          <b className="strong">
            {kind.type === 'fingerprint' ? 'This card' : `Cards that begin with ${fingerprint_id}`} can pay again, from the next payment on.
          </b>
        </p>
      }
      send={async () => {
        await answer(DELETE('/blocklist', { body: { type: kind.type, data: fingerprint_id } }))
        await queries.invalidateQueries({ queryKey: ['blocklist', 'list'] })
      }}
    />
  )
}
