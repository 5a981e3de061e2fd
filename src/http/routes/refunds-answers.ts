import Type from 'typebox'
import { shapesOf } from '../../show/member.ts'
import { refundMembers } from '../../show/refund.ts'

export const refundAnswer = Type.Object(shapesOf(refundMembers), { title: 'Refund' })
