import { shapesOf } from '../../show/member.ts'
import { refundMembers } from '../../show/refund.ts'
import { schema } from '../answer-shapes.ts'

export const refundAnswer = schema('Refund', shapesOf(refundMembers))
