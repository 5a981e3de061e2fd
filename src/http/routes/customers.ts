import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import type { Context } from '../../context.ts'
import { createCustomer } from '../../customers/create.ts'
import { type CustomerRow, customerShape, customerUpdateShape, needCustomer } from '../../customers/customer.ts'
import { deleteCustomer } from '../../customers/delete.ts'
import { customerListParams, customersQuery, listedCustomers } from '../../customers/list.ts'
import { updateCustomer } from '../../customers/update.ts'
import { listAndCount, listByCursor, type Whose } from '../../lists/stories.ts'
import { rowsOfDeleted } from '../../payment-methods/forget.ts'
import { customerMembers, showCustomer } from '../../show/customer.ts'
import { shapesOf } from '../../show/member.ts'
import { count, flag, text } from '../answer-shapes.ts'
import { endpoint, room } from '../endpoint.ts'

export const customerAnswer = Type.Object(shapesOf(customerMembers), { title: 'Customer' })

export const customersCountedAnswer = Type.Object({ data: Type.Array(customerAnswer), total_count: count }, { title: 'CustomersCounted' })

export const deletedCustomerAnswer = Type.Object(
  { customer_id: text, customer_deleted: flag, address_deleted: flag, payment_methods_deleted: flag },
  { title: 'DeletedCustomer', description: 'Each flag is true once that data is erased' },
)

/** Customers belong to no profile. */
const whose = ({ merchant_id }: Merchant): Whose => ({ merchant_id, profiles: null })

const shown = (context: Context) => (customer: CustomerRow) => showCustomer(context, customer)

export const customerRoutes = room(
  'Customers',
  "The customers who pay. You choose the customer_id, or it is generated; payments refer to it. Personal data is stored encrypted and erased when the customer is deleted; the id remains, so that payments still refer to it. A customer's browser can retrieve the customer with an ephemeral key or the client_secret of one of their payments.",
  [
    endpoint({
      at: 'POST /customers',
      name: 'createCustomer',
      title: 'Create a customer',
      does: 'Creates a customer. If a customer with this customer_id exists, it is returned unchanged.',
      body: customerShape,
      answers: customerAnswer,
      refuses: ['invalid_value'],
      example: {
        summary: 'A customer with an address',
        value: {
          customer_id: 'cus_grace',
          name: 'Grace Hopper',
          email: 'grace@example.com',
          phone: '2025550143',
          phone_country_code: '+1',
          description: 'Buys chairs',
          address: {
            first_name: 'Grace',
            last_name: 'Hopper',
            line1: '12 Harbour Street',
            city: 'Arlington',
            state: 'Virginia',
            zip: '22201',
            country: 'US',
          },
          metadata: { newsletter: 'yes' },
        },
      },
      run: async ({ context, merchant, body }) => ({ json: await createCustomer(context, merchant.merchant_id, body, shown(context)) }),
    }),
    endpoint({
      at: 'GET /customers/list',
      name: 'listCustomers',
      title: 'List customers',
      does: 'Lists customers that are not deleted, newest first: those after starting_after in that order, or just before ending_before; optionally filtered by time range, email address or phone number.',
      query: customersQuery,
      answers: Type.Array(customerAnswer),
      refuses: ['not_found', 'unacceptable', 'precondition', 'malformed', 'missing', 'too_long'],
      run: async ({ context, merchant, query }) => ({
        json: (await listByCursor(context, listedCustomers, whose(merchant), customerListParams(context, merchant.merchant_id, query))).map(
          shown(context),
        ),
      }),
    }),
    endpoint({
      at: 'GET /customers/list_with_count',
      name: 'listCustomersWithCount',
      title: 'List and count customers',
      does: 'Returns the same list with the total count.',
      query: customersQuery,
      answers: customersCountedAnswer,
      refuses: ['not_found', 'unacceptable', 'precondition', 'malformed', 'missing', 'too_long'],
      run: async ({ context, merchant, query }) => {
        const { rows, total_count } = await listAndCount(
          context,
          listedCustomers,
          whose(merchant),
          customerListParams(context, merchant.merchant_id, query),
        )
        return { json: { data: rows.map(shown(context)), total_count } }
      },
    }),
    endpoint({
      at: 'GET /customers/{customer_id}',
      name: 'retrieveCustomer',
      title: 'Retrieve a customer',
      does: 'Retrieves a customer.',
      takes: 'secret, client or ephemeral',
      clientSecretOf: 'payment of customer',
      query: Type.Object({ client_secret: Type.Optional(Type.String()) }),
      answers: customerAnswer,
      refuses: ['customer_redacted'],
      run: async ({ context, merchant, path, who }) => ({
        json: showCustomer(
          context,
          await needCustomer(context, merchant.merchant_id, path.customer_id),
          who.is === 'secret' ? 'server' : 'client',
        ),
      }),
    }),
    endpoint({
      at: 'POST /customers/{customer_id}',
      name: 'updateCustomer',
      title: 'Update a customer',
      does: 'Updates a customer. Fields that are not sent are unchanged; an address is replaced as a whole.',
      body: customerUpdateShape,
      answers: customerAnswer,
      refuses: ['customer_redacted'],
      example: { summary: 'A new email address', value: { email: 'grace.hopper@example.com' } },
      run: async ({ context, merchant, path, body }) => ({
        json: await updateCustomer(context, merchant.merchant_id, path.customer_id, body, shown(context)),
      }),
    }),
    endpoint({
      at: 'DELETE /customers/{customer_id}',
      name: 'deleteCustomer',
      title: 'Delete a customer',
      does: 'Deletes a customer and their personal data. Their payments are kept under the same customer_id.',
      answers: deletedCustomerAnswer,
      refuses: ['active_mandate', 'customer_redacted'],
      run: async ({ context, merchant, path }) => ({
        json: await deleteCustomer(context, merchant.merchant_id, path.customer_id, customer => rowsOfDeleted(context, customer)),
      }),
    }),
  ],
)
