import { familyOfWays } from './other.ts'
import { accountNumber, ask, asked, bankName, clear, country, digits, masked, way } from './way.ts'

const email = { 'billing_details.email': asked.email }
const holder = { ...email, 'billing_details.name': asked.name }
const people = { ...email, 'billing_details.first_name': asked.first_name, 'billing_details.last_name': asked.last_name }
const scanned = { experience: 'display_qr_code' }

/** The customer makes the transfer, to an account that the processor gives. */
export const bankTransfer = familyOfWays('bank_transfer', {
  ach_bank_transfer: way('ach', email),
  sepa_bank_transfer: way('sepa_bank_transfer', { ...holder, country: clear(country) }, { as: 'sepa' }),
  bacs_bank_transfer: way('bacs', holder),
  multibanco_bank_transfer: way('multibanco', email),
  permata_bank_transfer: way('permata_bank_transfer', people, { as: 'permata' }),
  bca_bank_transfer: way('bca_bank_transfer', people, { as: 'bca' }),
  bni_va_bank_transfer: way('bni_va', people),
  bri_va_bank_transfer: way('bri_va', people),
  cimb_va_bank_transfer: way('cimb_va', people),
  danamon_va_bank_transfer: way('danamon_va', people),
  mandiri_va_bank_transfer: way('mandiri_va', people),
  pix: way(
    'pix',
    {
      pix_key: masked(),
      cpf: masked(undefined, { read: digits(11, 11) }),
      cnpj: masked(undefined, { read: digits(14, 14) }),
      source_bank_account_id: masked(),
      destination_bank_account_id: masked(),
      expiry_date: clear(),
    },
    scanned,
  ),
  pix_emv: way('pix_emv', {}, scanned),
  pix_qr: way('pix_qr', {}, scanned),
  pix_automatico_qr: way('pix_automatico_qr', {}, scanned),
  pix_automatico_push: way(
    'pix_automatico_push',
    {
      account_number: ask(masked(undefined, { read: accountNumber }), 'user_pix_account_number'),
      branch_code: ask(clear(), 'user_branch_code'),
      bank_identifier: ask(clear(), 'user_bank_identifier'),
    },
    { experience: 'display_wait_screen' },
  ),
  pse: way('pse'),
  local_bank_transfer: way('local_bank_transfer', { bank_code: clear() }),
  instant_bank_transfer: way('instant_bank_transfer'),
  instant_bank_transfer_finland: way('instant_bank_transfer_finland'),
  instant_bank_transfer_poland: way('instant_bank_transfer_poland'),
  indonesian_bank_transfer: way('indonesian_bank_transfer', { bank_name: clear(bankName) }),
})
