import Type from 'typebox'
import { customerMembers } from '../../show/customer.ts'
import { shapesOf } from '../../show/member.ts'
import { count, flag, text } from '../answer-shapes.ts'

export const customerAnswer = Type.Object(shapesOf(customerMembers), { title: 'Customer' })

export const customersCountedAnswer = Type.Object({ data: Type.Array(customerAnswer), total_count: count }, { title: 'CustomersCounted' })

export const deletedCustomerAnswer = Type.Object(
  { customer_id: text, customer_deleted: flag, address_deleted: flag, payment_methods_deleted: flag },
  { title: 'DeletedCustomer', description: 'Each flag is true once that data is erased' },
)
