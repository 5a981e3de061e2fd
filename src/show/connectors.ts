import type { Deployment } from '../accounts/connector-account.ts'
import { alsoCalled, connectors } from '../connectors/all.ts'
import { evidenceTexts, evidenceTypes } from '../connectors/dispute.ts'
import { offerOf } from '../connectors/offer.ts'
import type { Port } from '../connectors/port.ts'
import { settingsOf } from '../connectors/settings.ts'
import { verbNames } from '../connectors/verbs.ts'
import { fileKinds, LARGEST_FILE } from '../disputes/files.ts'
import { familyNamed } from '../instruments/families.ts'

type Place = Pick<Deployment, 'baseUrls'>

/** The connectors as data: the fields of a form for a connector account, and the abilities of the processor. */

const usualLabels: Readonly<Record<string, string>> = { api_key: 'API key', api_secret: 'API secret', key1: 'Key 1', key2: 'Key 2' }

const fieldsOf = ({ members, called }: Port['credentials']) =>
  members.map(name => {
    const { label, secret } = called?.[name] ?? { label: usualLabels[name] ?? name, secret: true }
    return { name, label, secret }
  })

const metadataOf = (connector: Port, { baseUrls }: Place) =>
  Object.entries(settingsOf(connector)).map(([name, { description, required, of }]) => ({
    name,
    label: description,
    // An account at a connector without a base URL of its own must give the URL, unless the deployment does.
    required:
      required ??
      (name === 'base_url' && connector.baseUrl.test === null && connector.baseUrl.live === null && baseUrls[connector.name] === undefined),
    connector_type: of ?? null,
  }))

function evidenceOf({ contest_dispute, accepts: { evidence } }: Port) {
  if (!contest_dispute) return null
  const files = Object.entries(evidence?.files ?? Object.fromEntries(fileKinds.map(kind => [kind, LARGEST_FILE])))
  return {
    files: files.map(([content_type, most_bytes]) => ({ content_type, most_bytes })),
    evidence_types: evidenceTypes.filter(type => !evidence?.without?.includes(type)),
    texts: evidence?.texts === false ? [] : evidenceTexts,
  }
}

/** As an account's `payment_methods_enabled`: stored cards count as cards. */
function paymentMethodsOf({ accepts }: Port) {
  return accepts.methods.flatMap(payment_method => {
    const types = familyNamed(payment_method)?.types.filter(type => offerOf(accepts, payment_method, type) !== null)
    return types === undefined ? [] : [{ payment_method, payment_method_types: types }]
  })
}

/** `partly`: some of its behavior is guessed, or known from sources other than its processor. */
const foundedAs = ({ own, guessed, second_hand }: Port['sources']): 'own' | 'partly' | 'documented' =>
  own ? 'own' : guessed !== undefined || second_hand !== undefined ? 'partly' : 'documented'

function entryOf(connector: Port, place: Place) {
  const { name, accepts, credentials, webhook, sources, testing, verify } = connector
  const { documented, second_hand = null, guessed = null } = sources
  return {
    name,
    also_called: Object.keys(alsoCalled).filter(other => alsoCalled[other]!.name === name),
    testing: testing ?? false,
    methods: accepts.methods,
    payment_methods: paymentMethodsOf(connector),
    payout_methods: accepts.recipients ?? [],
    capture_methods: accepts.capture,
    verbs: verbNames.filter(verb => connector[verb] !== undefined),
    currencies: accepts.counting?.currencies ?? null,
    credentials: { auth_type: credentials.auth_type, fields: fieldsOf(credentials) },
    verifies_credentials: verify !== undefined,
    metadata: metadataOf(connector, place),
    evidence: evidenceOf(connector),
    webhook: webhook ? { registers_itself: webhook.register !== undefined } : null,
    founded: foundedAs(sources),
    sources: { documented, second_hand, guessed },
    finds_earlier: accepts.lookup,
  }
}

/** Sorted by name. Other names of the same connector are in `also_called`. */
export function connectorCatalogue(place: Place) {
  return Object.values(connectors)
    .filter(({ name }) => !Object.hasOwn(alsoCalled, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(connector => entryOf(connector, place))
}
