import { Radio } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, GET, POST } from '../../api'
import { useOpenApproval } from '../../parts/approvals'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { withCurrency } from '../../parts/money'
import { causes, type Difference, differenceIn, type Resolution } from './causes'

type Props = { difference: Difference; who: string; close(): void; done(text: string): void }

const size = (amount: number, currency: string): string => withCurrency(Math.abs(amount), currency)

/** Whether only the processor has the movement. */
const isStrange = (cause: Difference['cause']): boolean => cause === 'missing_here' || cause === 'duplicate'

/** The ways out of a difference in words: what is chosen, and what the button says. */
const ways: Readonly<Record<Resolution, { label(who: string, difference: Difference): string; act: string; acting: string }>> = {
  accept: {
    label: (who, { cause }) =>
      cause === 'missing_there'
        ? `Leave it owed by ${who}`
        : cause === 'unreadable'
          ? 'It needs nothing'
          : isStrange(cause)
            ? 'Keep it apart: it belongs to nothing that is known'
            : `${who} is right`,
    act: 'Accept',
    acting: 'Accepting…',
  },
  link: { label: () => 'It belongs to a payment or payout here', act: 'Link', acting: 'Linking…' },
  write_off: { label: () => 'Give the difference up', act: 'Write off', acting: 'Writing off…' },
}

/** Says what accepting a difference books. */
function accepted(who: string, difference: Difference): string {
  const { cause, ours, ours_currency, theirs, currency } = difference
  const gap = differenceIn(difference)
  const all = theirs !== null && currency !== null ? size(theirs, currency) : 'The amount'
  const of = gap === null ? 'the difference' : size(gap.amount, gap.currency)
  switch (cause) {
    case 'missing_there':
      return `Nothing is booked: ${ours === null ? 'the amount' : size(ours, ours_currency!)} stays owed by ${who}, and stands in what they owe.`
    case 'missing_here':
    case 'duplicate':
      return `${all} is booked to suspense: money at ${who} that belongs to no payment.`
    case 'amount_differs':
      return `${all} is booked as settled, as ${who} says. ${of} ${gap !== null && gap.amount > 0 ? `more than was owed stays with you, as owed to ${who}` : `stays owed by ${who}`}.`
    case 'currency_differs':
      return `${all} is booked as settled, as ${who} says. What moved here stays owed.`
    case 'fee_differs':
      return `The new fee holds: ${of} ${gap !== null && gap.amount > 0 ? 'less' : 'more'} is booked as a fee.`
    case 'changed':
      return `The new amount holds: ${of} ${gap !== null && gap.amount > 0 ? 'more' : 'less'} is booked as settled.`
    case 'unknown_type':
      return `${all} is booked as a correction by ${who}.`
    case 'payout_differs':
      return `Nothing is booked: ${of} stays on your balance at ${who}.`
    case 'unreadable':
      return 'Nothing is booked. The line counts as looked at.'
  }
}

/** Returns the amount that writing a difference off gives up; below zero if the merchant keeps more than it is owed. */
function givenUp(difference: Difference): { amount: number; currency: string } | null {
  const gap = differenceIn(difference)
  return gap && { ...gap, amount: -gap.amount }
}

function consequenceOf(way: Resolution, who: string, difference: Difference): string {
  if (way === 'accept') return accepted(who, difference)
  const { theirs, currency } = difference
  if (way === 'link') return `${theirs === null ? 'The line' : size(theirs, currency!)} is booked as settled of what you name.`
  const lost = givenUp(difference)
  if (lost === null) return 'The difference is given up.'
  return lost.amount > 0
    ? `${size(lost.amount, lost.currency)} is given up: ${who} owes it no more.`
    : `${size(lost.amount, lost.currency)} is kept, and booked as gained by a difference.`
}

/** Says the figures of both sides. */
function figuresOf(who: string, { cause, ours, ours_currency, theirs, currency }: Difference): string {
  const here = ours === null ? null : withCurrency(ours, ours_currency ?? currency ?? '')
  const there = theirs === null || currency === null || cause === 'missing_there' ? null : withCurrency(theirs, currency)
  return `Here: ${here ?? 'nothing'}. In ${who}’s report: ${there ?? (cause === 'unreadable' ? 'a line that cannot be read' : 'nothing')}.`
}

/** Whether the merchant lets one person alone give up so much. */
function useNeedsSecond(lost: { amount: number; currency: string } | null): boolean {
  const { data } = useQuery({ queryKey: ['approvals', 'settings'], queryFn: () => answer(GET('/approvals/settings')) })
  return lost !== null && data?.above !== undefined && Math.abs(lost.amount) > (data.above[lost.currency] ?? -1)
}

/** Asks how a difference is settled, and why. */
export default function Resolve({ difference, who, close, done }: Props): ReactElement {
  const queries = useQueryClient()
  const openApproval = useOpenApproval()
  const [first] = causes[difference.cause].ways
  const [way, setWay] = useState<Resolution>(first!)
  const [reason, setReason] = useState('')
  const [payment_id, setPayment] = useState('')
  const lost = way === 'write_off' ? givenUp(difference) : null
  const needsSecond = useNeedsSecond(lost)
  const isComplete = reason.trim() !== '' && (way !== 'link' || payment_id.trim() !== '')
  const { act, acting } = ways[way]
  return (
    <Confirm
      title="What became of this difference?"
      act={lost === null ? act : `${act} ${size(lost.amount, lost.currency)}`}
      acting={acting}
      keep="Leave it open"
      close={close}
      consequence={
        isComplete ? (
          <p>
            {consequenceOf(way, who, difference)}
            {needsSecond && ' A second person has to approve it first.'}
          </p>
        ) : null
      }
      send={async key => {
        const params = { path: { difference_id: difference.difference_id }, header: { 'Idempotency-Key': key } }
        const body = { resolution: way, reason: reason.trim(), ...(way === 'link' && { payment_id: payment_id.trim() }) }
        const response = await answer(POST('/reconciliation/differences/{difference_id}/resolve', { params, body }))
        await Promise.all([['reconciliation'], ['ledger']].map(queryKey => queries.invalidateQueries({ queryKey })))
        done(consequenceOf(way, who, difference))
        openApproval(response)
      }}
    >
      <p>{figuresOf(who, difference)}</p>
      <Radio.Group label={causes[difference.cause].title} value={way} onChange={value => setWay(value as Resolution)}>
        <div className="stack near">
          {causes[difference.cause].ways.map(one => (
            <Radio key={one} value={one} label={ways[one].label(who, difference)} />
          ))}
        </div>
      </Radio.Group>
      {way === 'link' && (
        <TextField
          label="Payment or payout"
          hint="Its id here, as pay_…"
          value={payment_id}
          change={setPayment}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <TextField
        label="Reason"
        hint="It is kept with the difference and in the audit log"
        value={reason}
        maxLength={500}
        change={setReason}
        data-autofocus
      />
    </Confirm>
  )
}
