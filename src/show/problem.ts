import Type from 'typebox'
import { preferredLanguages } from '../base/preferred-languages.ts'
import { anyText, orNull, textOrNull, withDescription } from '../base/shapes.ts'
import { unified } from '../operations/failure.ts'
import { unifiedIn } from '../operations/unified-messages.ts'
import { cardOf, type Payment } from '../payments/payment.ts'
import { type Member, type Members, textsOrNull, type View } from './member.ts'

/** By a network's advice (Mastercard's merchant advice codes), in the ecosystem's words. */
const recommendations: Readonly<Record<string, string>> = {
  '01': 'retry_after_instrument_update',
  '02': 'retry_later',
  '03': 'do_not_retry',
  '21': 'stop_recurring',
  '24': 'retry_after_1_hour',
  '25': 'retry_after_24_hours',
  '26': 'retry_after_2_days',
  '27': 'retry_after_4_days',
  '28': 'retry_after_6_days',
  '29': 'retry_after_8_days',
  '30': 'retry_after_10_days',
}

const detailsShape = Type.Object(
  {
    unified_details: Type.Object(textsOrNull('category message standardised_code description user_guidance_message recommended_action')),
    issuer_details: orNull(
      Type.Object({ ...textsOrNull('code message'), network_details: Type.Object(textsOrNull('name advice_code advice_message')) }),
    ),
    connector_details: Type.Object(textsOrNull('code message reason')),
  },
  { title: 'ErrorDetails', description: 'Why the last attempt failed: unified, from the issuer and from the processor' },
)

export function errorDetails(payment: Payment): Record<string, unknown> | null {
  const { last_error: error } = payment
  if (!error) return null
  return {
    unified_details: {
      category: error.unified_code,
      message: error.unified_message,
      standardised_code: error.standardised_code ?? null,
      description: error.description ?? null,
      user_guidance_message: error.user_guidance_message ?? null,
      recommended_action: recommendations[error.network_advice_code ?? ''] ?? null,
    },
    issuer_details:
      error.issuer_error_code == null
        ? null
        : {
            code: error.issuer_error_code,
            message: error.issuer_error_message,
            network_details: { name: cardOf(payment)?.card_network ?? null, advice_code: error.network_advice_code, advice_message: null },
          },
    connector_details: { code: error.error_code, message: error.error_message, reason: null },
  }
}

/** In the language of the request: a merchant does not read the shopper's. Without the header, it is the shopper's. */
export function unifiedMessage({ last_error, request }: Payment, { acceptLanguage }: Pick<View, 'acceptLanguage'>): string | null {
  if (!last_error) return null
  const { unified_code: code, unified_message: english } = last_error
  const asked = preferredLanguages(acceptLanguage)
  const { language } = (request.browser_info ?? {}) as { language?: string | null }
  return unifiedIn(asked.length === 0 && language ? [language] : asked, code, english, unified[code as keyof typeof unified])
}

const ofLastError = (description: string): Member => ({ shape: textOrNull, from: 'last_error', description })

export const problem = {
  error_code: ofLastError("The processor's error code of the last failed attempt"),
  error_message: ofLastError("The processor's error message of the last failed attempt"),
  unified_code: ofLastError('Unified error code, the same for all processors'),
  unified_message: {
    shape: textOrNull,
    from: unifiedMessage,
    description:
      'Unified error message, the same for all processors; in the language of `Accept-Language`, without it in that of `browser_info`, if it is one of the service’s',
  },
  issuer_error_code: ofLastError('The issuer’s response, if the processor provides it'),
  issuer_error_message: ofLastError('The issuer’s response, if the processor provides it'),
  error_details: { shape: orNull(detailsShape), from: errorDetails },
  network_details: {
    shape: orNull(Type.Object({ network_advice_code: withDescription(anyText, "The card network's advice on retrying") })),
    from: ({ last_error }) => (last_error?.network_advice_code ? { network_advice_code: last_error.network_advice_code } : null),
  },
} satisfies Members
