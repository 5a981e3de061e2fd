import Type from 'typebox'
import { shapesOf } from '../../show/member.ts'
import { payoutMembers } from '../../show/payout.ts'

export const payoutAnswer = Type.Object(shapesOf(payoutMembers), { title: 'Payout' })
