import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { orNull, withDescription } from '../../base/shapes.ts'
import type { Context } from '../../context.ts'
import {
  type CustomerRow,
  createCustomer,
  customerShape,
  customerUpdateShape,
  needCustomer,
  updateCustomer,
} from '../../customers/customer.ts'
import { deleteCustomer } from '../../customers/delete.ts'
import { customerListParams, customersQuery, listedCustomers } from '../../customers/list.ts'
import { exportRows } from '../../lists/export.ts'
import { closedFilters } from '../../lists/filters.ts'
import { listAndCount, listByCursor } from '../../lists/queries.ts'
import type { ListParams } from '../../lists/read-conditions.ts'
import { rowsOfDeleted } from '../../payment-methods/change.ts'
import { countMethods } from '../../payment-methods/method.ts'
import { findLastPayments } from '../../payments/customer-payments.ts'
import { statuses as paymentStatuses } from '../../payments/lifecycle.ts'
import { customerMembers, showCustomer } from '../../show/customer.ts'
import { shapesOf } from '../../show/member.ts'
import { count, flag, minor, schema, text, time } from '../answer-shapes.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { type FileAsk, fileOf, fileQuery, fileTypes, shownPages, withoutPages } from './lists.ts'

const customerAnswer = schema('Customer', shapesOf(customerMembers))

const activity = schema('CustomerActivity', 'What the customer has saved and paid last; with expand_activity', {
  payment_methods: Type.Integer({ minimum: 0, description: 'Saved payment methods' }),
  last_payment: orNull(
    schema('LastPayment', {
      payment_id: text,
      status: Type.Enum(Object.keys(paymentStatuses)),
      amount: minor,
      currency: text,
      created: time,
    }),
  ),
})
const listedCustomer = schema('CustomerListed', { ...customerAnswer.properties, activity: Type.Optional(activity) })

const deletedCustomerAnswer = schema('DeletedCustomer', 'Each flag is true once that data is erased', {
  customer_id: text,
  customer_deleted: flag,
  address_deleted: flag,
  payment_methods_deleted: flag,
})

/** The customers that a request lists, as `lists/` takes them: of all profiles, because they belong to none. */
const listed = ({ context, merchant: { merchant_id } }: Pick<ApiRequest<Merchant>, 'context' | 'merchant'>, query: ListParams) =>
  [context, listedCustomers, { merchant_id, profiles: null }, customerListParams(context, merchant_id, query)] as const

/** The default columns of a CSV file. */
const columns = ['customer_id', 'name', 'email', 'phone', 'phone_country_code', 'description', 'created_at', 'metadata']

/** Adds to customers the number of their saved payment methods and their last payment. */
async function withActivity(
  { context, services, merchant }: Pick<ApiRequest<Merchant>, 'context' | 'services' | 'merchant'>,
  rows: CustomerRow[],
) {
  await services.saved.writeDown()
  const ids = rows.map(row => row.customer_id)
  const [methods, payments] = await Promise.all([
    countMethods(context, merchant.merchant_id, ids),
    findLastPayments(context, merchant.merchant_id, ids),
  ])
  return rows.map(row => ({
    ...shown(context)(row),
    activity: { payment_methods: methods.get(row.customer_id) ?? 0, last_payment: payments.get(row.customer_id) ?? null },
  }))
}

const shown = (context: Context) => (customer: CustomerRow) => showCustomer(context, customer)

export const customerRoutes = tagged(
  'Customers',
  "The customers who pay. You choose the customer_id, or it is generated; payments refer to it. Personal data is stored encrypted and erased when the customer is deleted; the id remains, so that payments still refer to it. A customer's browser can retrieve the customer with an ephemeral key or the client_secret of one of their payments.",
  { confidential: 'personal data', sdk: ['customers', 'Customer'] },
  [
    endpoint('POST /customers', 'createCustomer', {
      title: 'Create a customer',
      description: 'Creates a customer. If a customer with this customer_id exists, it is returned unchanged.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      body: customerShape,
      answers: customerAnswer,
      errors: ['invalid_value'],
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
      json: ({ context, merchant, body }) => createCustomer(context, merchant.merchant_id, body, shown(context)),
    }),
    endpoint('GET /customers/list', 'listCustomers', {
      title: 'List customers',
      description:
        'Lists customers that are not deleted, newest first: those after starting_after in that order, or just before ending_before; optionally filtered by time range, email address or phone number.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      query: customersQuery,
      answers: Type.Array(customerAnswer),
      errors: ['not_found', 'unacceptable'],
      json: async call => (await listByCursor(...listed(call, call.query))).map(shown(call.context)),
    }),
    endpoint('GET /customers/list_with_count', 'listCustomersWithCount', {
      title: 'List and count customers',
      description:
        'Returns the same list with the total count, and on request (`expand_activity`) with what each customer has saved and paid last.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      query: Type.Object({
        ...customersQuery.properties,
        expand_activity: Type.Optional(
          withDescription(flag, 'true: show in `activity` how many payment methods each has saved, and the last payment'),
        ),
      }),
      answers: schema('CustomersCounted', { data: Type.Array(listedCustomer), total_count: count }),
      errors: ['not_found', 'unacceptable'],
      json: async call => {
        const { expand_activity, ...query } = call.query
        const { rows, total_count } = await listAndCount(...listed(call, query))
        return { data: expand_activity ? await withActivity(call, rows) : rows.map(shown(call.context)), total_count }
      },
    }),
    endpoint('GET /customers/export', 'exportCustomers', {
      title: 'Export customers',
      description:
        'Exports all customers that match the filters, newest first, as a file: CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per line (`format=jsonl`). Deleted customers are not in it. The file is streamed; if an error occurs, the connection ends before the file is complete.',
      auth: { credential: 'secret', permission: 'customers:personal', scope: 'merchant' },
      query: Type.Object(
        { ...withoutPages(customersQuery.properties), ...fileQuery(Object.keys(customerAnswer.properties), columns) },
        closedFilters(listedCustomers),
      ),
      answers: 'text',
      types: fileTypes,
      run: async call => {
        const { format, columns: wanted = columns, ...query } = call.query as FileAsk
        const pages = shownPages(exportRows(...listed(call, query)), page => page.map(shown(call.context)))
        return fileOf({ name: 'customers', format, columns: wanted }, pages)
      },
    }),
    endpoint('GET /customers/{customer_id}', 'retrieveCustomer', {
      title: 'Retrieve a customer',
      description: 'Retrieves a customer.',
      auth: { credential: 'secret, client or ephemeral', permission: 'payments:read', scope: 'merchant' },
      clientSecretOf: 'payment of customer',
      query: Type.Object({ client_secret: Type.Optional(Type.String()) }),
      answers: customerAnswer,
      errors: ['customer_redacted'],
      json: async ({ context, merchant, path, who }) =>
        showCustomer(
          context,
          await needCustomer(context, merchant.merchant_id, path.customer_id),
          who.is === 'secret' ? 'server' : 'client',
        ),
    }),
    endpoint('POST /customers/{customer_id}', 'updateCustomer', {
      title: 'Update a customer',
      description: 'Updates a customer. Fields that are not sent are unchanged; an address is replaced as a whole.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      body: customerUpdateShape,
      answers: customerAnswer,
      errors: ['customer_redacted'],
      example: { summary: 'A new email address', value: { email: 'grace.hopper@example.com' } },
      json: ({ context, merchant, path, body }) => updateCustomer(context, merchant.merchant_id, path.customer_id, body, shown(context)),
    }),
    endpoint('DELETE /customers/{customer_id}', 'deleteCustomer', {
      title: 'Delete a customer',
      description: 'Deletes a customer and their personal data. Their payments are kept under the same customer_id.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      answers: deletedCustomerAnswer,
      errors: ['active_mandate', 'customer_redacted'],
      json: ({ context, merchant, path }) =>
        deleteCustomer(context, merchant.merchant_id, path.customer_id, customer => rowsOfDeleted(context, customer)),
    }),
  ],
)
