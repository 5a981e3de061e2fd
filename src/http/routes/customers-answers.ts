import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { customerShape } from '../../customers/customer.ts'
import { count, flag, text, texts, time } from '../answer-shapes.ts'

export const customerAnswer = Type.Object(
  {
    customer_id: text,
    ...texts('name email phone phone_country_code description'),
    address: orNull(
      Type.Object(texts('city country line1 line2 line3 zip state first_name last_name origin_zip'), { title: 'AddressDetails' }),
    ),
    created_at: time,
    metadata: orNull(customerShape.properties.metadata),
    ...texts('default_payment_method_id tax_registration_id'),
  },
  { title: 'Customer' },
)

export const customersCountedAnswer = Type.Object({ data: Type.Array(customerAnswer), total_count: count }, { title: 'CustomersCounted' })

export const deletedCustomerAnswer = Type.Object(
  { customer_id: text, customer_deleted: flag, address_deleted: flag, payment_methods_deleted: flag },
  { title: 'DeletedCustomer', description: 'Each flag is true once that data is erased' },
)
