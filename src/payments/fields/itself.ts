import Type from 'typebox'
import { checkLinkConfig, linkConfigShape } from '../../accounts/payment-link-config.ts'
import { anyText, country, flag, orNull, shortText, text } from '../../base/shapes.ts'
import { checkChosenId, checkMerchant } from './checks.ts'
import { type Field, keptOnly } from './field.ts'

const choosesProfile = keptOnly('Only for routing rules: the payment has its business profile already', 'confirm')

/** Which payment it is, whose, and what is to happen with it now. */
export const itself = {
  payment_id: {
    shape: anyText,
    by: 'server',
    kept: 'column',
    shown: 'to all',
    seen: anyText,
    does: 'what it says',
    check: checkChosenId,
    says: 'Exactly 30 characters. Sent at creation it makes creation idempotent; otherwise it is made for you',
  },
  merchant_id: {
    shape: shortText,
    by: 'server',
    kept: 'asked',
    shown: 'otherwise',
    does: 'what it says',
    check: checkMerchant,
    says: "The merchant's id; inferred from the key",
  },
  client_secret: {
    shape: anyText,
    by: 'browser',
    kept: 'nowhere',
    shown: 'otherwise',
    does: 'what it says',
    says: "Lets a browser see and confirm this one payment, together with the publishable key, until expires_on. For the customer's eyes only: never log it",
  },
  confirm: {
    shape: flag,
    by: 'browser',
    kept: 'nowhere',
    shown: 'never',
    does: 'what it says',
    says: 'true: authorize in the same call',
  },
  retry_action: {
    shape: Type.Enum(['manual_retry', 'requeue']),
    in: ['confirm'],
    by: 'browser',
    kept: 'nowhere',
    shown: 'never',
    does: keptOnly('Checkouts send it; a failed payment is confirmed again, or refused, with and without it'),
    says: 'What a checkout sends when it tries again',
  },
  profile_id: {
    shape: text(64),
    by: 'server',
    kept: 'column',
    shown: 'to all',
    seen: orNull(anyText),
    does: 'what it says',
    says: 'Business profile; the default one if not sent',
  },
  business_country: { shape: country, by: 'server', kept: 'asked', shown: 'to all', does: choosesProfile },
  business_label: { shape: shortText, by: 'server', kept: 'asked', shown: 'to all', does: choosesProfile },
  business_sub_label: {
    shape: shortText,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: keptOnly('A business profile is that of a country and a label'),
  },
  payment_link: {
    shape: flag,
    by: 'server',
    kept: 'asked',
    shown: 'otherwise',
    does: 'what it says',
    says: 'true: the payment gets a page of its own, where its customer pays; the answer says at which address',
  },
  payment_link_config: {
    shape: linkConfigShape,
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    check: checkLinkConfig,
    says: "How that page looks and what it offers; what it does not say, the profile's payment_link_config does",
  },
  payment_link_config_id: {
    shape: shortText,
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    says: "Which of the profile's business_specific_configs holds for that page",
  },
  all_keys_required: {
    shape: flag,
    by: 'browser',
    kept: 'nowhere',
    shown: 'never',
    does: 'what it says',
    says: 'true: whole_connector_response is what the processor said in this call, without secrets; for servers',
  },
} satisfies Record<string, Field>
