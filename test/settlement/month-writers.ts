import { decimalOf } from '../../src/base/money.ts'
import { days, type MonthWriter, type Movement, netOf, payoutsOf, table, titlesOf } from './month.ts'
import { paypal, paypalApi } from './month-at-paypal.ts'

/** A month at a processor, written as its vendor writes it: the readers name the vendors' documents. */

const positive = (amount: number, currency: string): string => (amount > 0 ? decimalOf(amount, currency) : '')

const stripeTitles = titlesOf(
  'automatic_payout_id,balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,description,automatic_payout_effective_at_utc,charge_id,payment_intent_id,payment_metadata[request_id],refund_metadata[request_id]',
)
const stripe: MonthWriter = {
  ...{ connector: 'stripe', own: true, same: false, fees: true, pays: 'always' },
  rows: ({ movements }) =>
    table(
      stripeTitles,
      movements.map(one => {
        const { is, id, payment, request_id, currency, batch } = one
        const [gross, fee] = is === 'fee' ? [-one.fee, 0] : [one.gross, one.fee]
        return {
          automatic_payout_id: `po_${batch}_${currency}`,
          balance_transaction_id: `txn_${id}`,
          created_utc: `${days[batch]} 08:00:00`,
          currency: currency.toLowerCase(),
          ...{ gross: decimalOf(gross, currency), fee: decimalOf(fee, currency), net: decimalOf(gross - fee, currency) },
          reporting_category: { sale: 'charge', refund: 'refund', fee: 'fee' }[is],
          source_id: is === 'fee' ? '' : id,
          automatic_payout_effective_at_utc: `${days[batch]} 00:00:00`,
          payment_intent_id: payment,
          ...(is === 'refund' && { 'refund_metadata[request_id]': request_id }),
          ...(is === 'sale' && { 'payment_metadata[request_id]': request_id }),
        }
      }),
    ),
}

const adyenTitles = titlesOf(
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Modification Merchant Reference,Batch Number',
)
const adyen: MonthWriter = {
  ...{ connector: 'adyen', own: true, same: true, fees: true, pays: 'whole' },
  rows: written => {
    const common = (batch: Movement['batch'], currency: string) => ({
      ...{ 'Company Account': 'Acme', 'Merchant Account': 'AcmeEU', 'Creation Date': `${days[batch]} 08:00:00`, TimeZone: 'UTC' },
      ...{ 'Gross Currency': currency, 'Net Currency': currency, 'Batch Number': String(batch) },
    })
    const lines = written.movements.map(one => {
      const { is, id, payment, request_id, currency, gross, fee, batch } = one
      const net = netOf(one)
      const amounts = {
        'Gross Debit (GC)': positive(-gross, currency),
        'Gross Credit (GC)': positive(gross, currency),
        'Net Debit (NC)': positive(-net, currency),
        'Net Credit (NC)': positive(net, currency),
      }
      if (is === 'fee') return { ...common(batch, currency), ...amounts, Type: 'Fee', 'Modification Reference': 'Transaction Fees' }
      return {
        ...common(batch, currency),
        ...amounts,
        ...{ 'Psp Reference': payment, 'Exchange Rate': '1', 'Commission (NC)': positive(fee, currency) },
        ...(is === 'sale'
          ? { Type: 'Settled', 'Merchant Reference': request_id }
          : { Type: 'Refunded', 'Modification Reference': id, 'Modification Merchant Reference': request_id }),
      }
    })
    const payouts = payoutsOf(written).map(({ batch, currency, net }) => ({
      ...common(batch, currency),
      ...{ Type: 'MerchantPayout', 'Modification Reference': `TX${batch}${currency}XT batch ${batch}, AcmeEU` },
      'Net Debit (NC)': decimalOf(net, currency),
    }))
    return table(adyenTitles, [...lines, ...payouts])
  },
}

const accountingTitles = titlesOf(
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date,TimeZone,Main Currency,Main Amount,Record Type,Payment Currency,Received (PC),Authorised (PC),Captured (PC),Settlement Currency,Payable (SC),Commission (SC),Markup (SC),Scheme Fees (SC),Interchange (SC),Modification Merchant Reference,Modification Psp Reference,Exchange Rate',
)
const adyenAccounting: MonthWriter = {
  ...{ connector: 'adyen', own: false, same: false, fees: true, pays: 'never' },
  rows: ({ movements }) =>
    table(
      accountingTitles,
      movements.flatMap((one): Record<string, string>[] => {
        const { is, id, payment, request_id, currency, gross, fee, batch } = one
        const common = { 'Company Account': 'Acme', 'Merchant Account': 'AcmeEU', 'Psp Reference': payment, TimeZone: 'UTC' }
        const paid = { ...common, 'Booking Date': `${days[batch]} 08:00:00`, 'Payment Currency': currency, 'Settlement Currency': currency }
        const amounts = { 'Captured (PC)': decimalOf(-gross, currency), 'Payable (SC)': decimalOf(netOf(one), currency) }
        const settled = { ...paid, ...amounts, 'Commission (SC)': positive(fee, currency), 'Exchange Rate': '1' }
        if (is === 'sale')
          return [
            { ...common, 'Booking Date': `${days[batch]} 07:00:00`, 'Record Type': 'Received', 'Merchant Reference': request_id },
            { ...settled, 'Record Type': 'Settled', 'Merchant Reference': request_id },
          ]
        return [{ ...settled, 'Record Type': 'Refunded', 'Modification Psp Reference': id, 'Modification Merchant Reference': request_id }]
      }),
    ),
}

const checkoutTitles = titlesOf(
  'Client Entity ID,Processing Channel ID,Action Type,Action ID,Payment ID,Requested On,Processed On,Processing Currency,FX Rate Applied,Holding Currency,Payout ID,Reference,Breakdown Type,Processing Currency Amount,Holding Currency Amount,Fee Detail',
)
const checkout: MonthWriter = {
  ...{ connector: 'checkout', own: true, same: false, fees: true, pays: 'whole' },
  rows: written => {
    const row = (batch: Movement['batch'], currency: string, breakdown: string, amount: number, more: Record<string, string>) => ({
      ...{ 'Client Entity ID': 'ent_1', 'Processed On': `${days[batch]}T08:00:00.000`, 'Processing Currency': currency },
      ...{ 'FX Rate Applied': '1', 'Holding Currency': currency, 'Payout ID': `P${batch}${currency}`, 'Breakdown Type': breakdown },
      ...{ 'Processing Currency Amount': decimalOf(amount, currency), 'Holding Currency Amount': decimalOf(amount, currency) },
      ...more,
    })
    const lines = written.movements.flatMap(({ is, id, payment, request_id, currency, gross, fee, batch }) => {
      if (is === 'fee')
        return [row(batch, currency, 'Monthly Account Fee', -fee, { 'Action Type': 'Monthly Account Fee', 'Action ID': `fee_${id}` })]
      const [type, action] = is === 'sale' ? ['Capture', `act_${payment}`] : ['Refund', id]
      const of = { 'Action Type': type, 'Action ID': action, 'Payment ID': payment, Reference: request_id }
      return [row(batch, currency, type, gross, of), ...(fee === 0 ? [] : [row(batch, currency, 'Premium Variable Fee', -fee, of)])]
    })
    const payouts = payoutsOf(written).map(({ batch, currency, net }) =>
      row(batch, currency, 'Payout', -net, { 'Action Type': 'Payout', 'Action ID': `pyt_${batch}${currency}` }),
    )
    return table(checkoutTitles, [...lines, ...payouts])
  },
}

const mollieTitles = titlesOf(
  'Date,Payment method,Currency,Amount,Status,ID,Description,Consumer name,Settlement currency,Settlement amount,Settlement reference,Amount refunded',
)
const mollie: MonthWriter = {
  ...{ connector: 'mollie', own: true, same: true, fees: false, pays: 'never' },
  rows: ({ movements }) =>
    table(
      mollieTitles,
      movements.map(one => {
        const { is, id, payment, currency, batch } = one
        const amount = decimalOf(netOf(one), currency)
        return {
          Date: `${days[batch]} 10:00:00`,
          ...{ Currency: currency, Amount: amount, 'Settlement currency': currency, 'Settlement amount': amount },
          'Settlement reference': `1234567.2605.0${batch}.${currency}`,
          ...(is === 'fee'
            ? { Description: 'Withheld transaction fees' }
            : { ID: is === 'sale' ? payment : id, 'Payment method': is === 'sale' ? 'creditcard' : 'refund', Status: 'paidout' }),
        }
      }),
    ),
}

/** The lists of a settlement as the API has them, a document in each row. */
const mollieApi: MonthWriter = {
  ...{ connector: 'mollie', own: false, same: false, fees: false, pays: 'whole', plain: true },
  rows: written => {
    const payouts = payoutsOf(written).map(({ batch, currency, net }) => ({
      ...{ resource: 'settlement', id: `stl_${batch}${currency}`, reference: `1234567.2605.0${batch}.${currency}` },
      ...{ settledAt: `${days[batch]}T00:00:00Z`, amount: { value: decimalOf(net, currency), currency } },
    }))
    const documentOf = ({ is, id, payment, currency, gross, batch }: Movement) => ({
      ...(is === 'sale' ? { resource: 'payment', id: payment } : { resource: 'refund', id, paymentId: payment }),
      ...{ settlementId: `1234567.2605.0${batch}.${currency}`, createdAt: `${days[batch]}T08:00:00Z` },
      settlementAmount: { value: decimalOf(gross, currency), currency },
    })
    // What follows a settlement is in it.
    const inside = (one: Movement) => payouts.some(({ id }) => id === `stl_${one.batch}${one.currency}`)
    const rows = [
      ...written.movements.filter(one => !inside(one)).map(documentOf),
      ...payouts.flatMap(payout => [
        payout,
        ...written.movements.filter(one => payout.id === `stl_${one.batch}${one.currency}`).map(documentOf),
      ]),
    ]
    return rows.map(document => [JSON.stringify(document)])
  },
}

const braintreeTitles = titlesOf(
  'Merchant Account ID,Transaction ID,Original Transaction ID,Transaction Type,Presentment Currency,Original Sale Amount,Settlement Currency,Settlement Amount,Settlement Date,Disbursement Date,Order ID,Discount,Per Transaction Fee,Total Fee Amount',
)
/** The id as reports have it, which in the API's id is encoded. */
const legacyId = (id: string): string => Buffer.from(id, 'base64').toString().split('_').at(-1)!
const braintree: MonthWriter = {
  ...{ connector: 'braintree', own: false, same: false, fees: true, pays: 'always' },
  rows: ({ movements }) =>
    table(
      braintreeTitles,
      movements.map(({ is, id, payment, request_id, currency, gross, fee, batch }) => ({
        ...{ 'Merchant Account ID': `acme_${currency}`, 'Transaction ID': legacyId(is === 'sale' ? payment : id) },
        ...(is === 'refund' && { 'Original Transaction ID': legacyId(payment) }),
        ...{ 'Transaction Type': is === 'sale' ? 'sale' : 'credit', 'Presentment Currency': currency, 'Settlement Currency': currency },
        ...{ 'Settlement Amount': decimalOf(Math.abs(gross), currency), 'Total Fee Amount': decimalOf(fee, currency) },
        ...{ 'Settlement Date': days[batch], 'Disbursement Date': days[batch], 'Order ID': request_id },
      })),
    ),
}

/** Pages of the API's searches, a document in each row: transactions with their disbursement, without fees. */
const braintreeApi: MonthWriter = {
  ...{ connector: 'braintree', own: false, same: false, fees: false, pays: 'always', plain: true },
  rows: ({ movements }) =>
    movements.map(({ is, id, payment, request_id, currency, gross, batch }) => {
      const of = is === 'sale' ? payment : id
      const amount = { value: decimalOf(Math.abs(gross), currency), currencyCode: currency }
      const node = {
        ...{ id: of, legacyId: legacyId(of), orderId: request_id, merchantAccountId: `acme_${currency}`, amount },
        disbursementDetails: { date: days[batch], amount, exchangeRate: '1', fundsHeld: false },
        ...(is === 'refund' && { refundedTransaction: { id: payment } }),
      }
      const pageInfo = { hasNextPage: false, endCursor: null }
      return [JSON.stringify({ search: { [is === 'sale' ? 'transactions' : 'refunds']: { edges: [{ node }], pageInfo } } })]
    }),
}

const general: MonthWriter = {
  ...{ connector: 'phonypay', own: true, same: true, fees: true, pays: 'never' },
  rows: ({ movements }) =>
    table(
      titlesOf('reference,request_id,batch,type,currency,gross,fee,booked_at'),
      movements.map(({ is, id, request_id, currency, gross, fee, batch }) => ({
        ...{ reference: is === 'fee' ? '' : id, request_id, batch: `b${batch}`, type: is === 'sale' ? 'charge' : is, currency },
        ...{ gross: decimalOf(gross, currency), fee: decimalOf(fee, currency), booked_at: `${days[batch]}T08:00:00Z` },
      })),
    ),
}

export const monthWriters: Readonly<Record<string, MonthWriter>> = {
  ...{ stripe_balance: stripe, adyen_settlement_details: adyen, adyen_payments_accounting: adyenAccounting },
  ...{ checkout_financial_actions: checkout, mollie_settlement: mollie, mollie_api_settlement: mollieApi },
  ...{ braintree_transactions: braintree, braintree_api_disbursements: braintreeApi },
  ...{ paypal_settlement: paypal, paypal_api_transactions: paypalApi, general },
}
