import Type from 'typebox'
import { addressDetails } from '../base/shapes.ts'
import { familyOfWays } from './other.ts'
import { accountNumber, ask, bankName, clear, digits, iban, masked, need, never, person, type Way, way } from './way.ts'

const billing = { 'billing_details.name': never(), 'billing_details.email': never(), 'billing_details.address': never(addressDetails) }
const holder = { bank_account_holder_name: ask(person(), 'user_bank_account_holder_name'), ...billing }
const bankType = clear(Type.Enum(['checking', 'savings']))
const account = need(masked(undefined, { read: accountNumber }), 'user_bank_account_number')

const sepa: Way['parts'] = { iban: need(masked(undefined, { read: iban }), 'user_iban'), ...holder }

/** It takes days until the processor knows that a debit has succeeded. */
export const bankDebit = familyOfWays('bank_debit', {
  ach_bank_debit: way('ach', {
    account_number: account,
    routing_number: need(masked(undefined, { read: digits(9, 9) }), 'user_bank_routing_number'),
    bank_name: clear(bankName),
    bank_type: bankType,
    bank_holder_type: clear(Type.Enum(['personal', 'business'])),
    ...holder,
  }),
  sepa_bank_debit: way('sepa', sepa),
  sepa_guarenteed_bank_debit: way('sepa_guarenteed_debit', sepa),
  becs_bank_debit: way('becs', {
    account_number: account,
    bsb_number: need(masked(undefined, { read: digits(6, 6) }), 'user_bsb_number'),
    ...holder,
  }),
  bacs_bank_debit: way('bacs', {
    account_number: account,
    sort_code: need(masked(undefined, { read: digits(6, 6) }), 'user_bank_sort_code'),
    ...holder,
  }),
  eft_debit_order: way('eft_debit_order', {
    account_number: account,
    branch_code: ask(clear(), 'user_branch_code'),
    bank_name: clear(bankName),
    bank_type: bankType,
    ...holder,
  }),
})
