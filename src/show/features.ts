import { connectors } from '../connectors/all.ts'
import { capturesOf, offerOf } from '../connectors/offer.ts'
import type { Port } from '../connectors/port.ts'
import { familyNamed } from '../instruments/families.ts'
import { networks } from '../instruments/networks.ts'

/** In the form of existing clients, derived from the connectors themselves. */

const supported = (is: boolean): 'supported' | 'not_supported' => (is ? 'supported' : 'not_supported')
const titled = (name: string): string => name.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase())

function methodsOf({ accepts, refund, setUp }: Port) {
  const kept = accepts.methods.includes('stored_card') || accepts.methods.includes('network_transaction_id')
  return accepts.methods.flatMap(name => {
    const family = familyNamed(name)
    if (!family) return []
    const isCard = family.method === 'card'
    return family.types.flatMap(type => {
      const offer = offerOf(accepts, name, type)
      if (offer === null) return []
      const capture = capturesOf(accepts, name, type)
      return {
        payment_method: family.method,
        payment_method_type: type,
        payment_method_type_display_name: titled(type),
        mandates: supported(offer ? offer.recurring !== undefined : isCard && kept && setUp !== undefined),
        refunds: supported(refund !== undefined && offer?.refunds !== false),
        // Captures that this service sends later need an authorization hold, hence the manual capture method.
        supported_capture_methods: [...capture, ...(capture.includes('manual') ? ['sequential_automatic', 'scheduled'] : [])],
        three_ds: isCard ? 'supported' : null,
        no_three_ds: isCard ? 'supported' : null,
        supported_card_networks: isCard ? networks : null,
        supported_countries: offer?.countries ?? null,
        supported_currencies: offer?.currencies ?? accepts.counting?.currencies ?? null,
      }
    })
  })
}

function featuresOf(connector: Port) {
  const { name, webhook, baseUrl, sources, authorize, refund, read_dispute, payout } = connector
  return {
    name,
    display_name: titled(name),
    description: sources.documented,
    category: authorize ? 'payment_gateway' : 'payout_processor',
    integration_status: baseUrl.live === null && baseUrl.test !== null ? 'sandbox' : 'live',
    supported_payment_methods: methodsOf(connector),
    supported_webhook_flows: webhook
      ? [
          ...(authorize ? ['payments'] : []),
          ...(refund ? ['refunds'] : []),
          ...(read_dispute ? ['disputes'] : []),
          ...(payout ? ['payouts'] : []),
        ]
      : [],
  }
}

export function featureMatrix() {
  const all = Object.values(connectors).map(featuresOf)
  return { connector_count: all.length, connectors: all }
}
