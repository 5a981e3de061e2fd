// Written by `npm run docs` from the tables of the service. Changes here are lost.
import type { EventStream, StreamOptions } from './stream.ts'
import type { Answer, Body, CallOptions, List, Operation, Query } from './types.ts'

/** Every operation that a server calls, by its resource. */
// biome-ignore format: a table reads better in columns
export const operations = {
  payments: {
    create: { verb: 'POST', path: '/payments', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/payments/{payment_id}', takes: 'query', keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/payments/{payment_id}', takes: 'body', keyed: true, gives: 'json' },
    sync: { verb: 'POST', path: '/payments/sync', takes: 'body', keyed: false, reads: true, gives: 'json' },
    confirm: { verb: 'POST', path: '/payments/{payment_id}/confirm', takes: 'body', keyed: true, gives: 'json' },
    updateMetadata: { verb: 'POST', path: '/payments/{payment_id}/update_metadata', takes: 'body', keyed: true, gives: 'json' },
    capture: { verb: 'POST', path: '/payments/{payment_id}/capture', takes: 'body', keyed: true, gives: 'json' },
    cancel: { verb: 'POST', path: '/payments/{payment_id}/cancel', takes: 'body', keyed: true, gives: 'json' },
    cancelPostCapture: { verb: 'POST', path: '/payments/{payment_id}/cancel_post_capture', takes: 'body', keyed: true, gives: 'json' },
    retrieveCancelPostCapture: { verb: 'GET', path: '/payments/{payment_id}/cancel_post_capture', takes: null, keyed: false, gives: 'json' },
    release: { verb: 'POST', path: '/payments/{payment_id}/release', takes: 'body', keyed: true, gives: 'json' },
    incrementAuthorization: { verb: 'POST', path: '/payments/{payment_id}/incremental_authorization', takes: 'body', keyed: true, gives: 'json' },
    extendAuthorization: { verb: 'POST', path: '/payments/{payment_id}/extend_authorization', takes: null, keyed: true, gives: 'json' },
    expireSession: { verb: 'POST', path: '/payments/{payment_id}/expire_session', takes: null, keyed: true, gives: 'json' },
    completeAuthorize: { verb: 'POST', path: '/payments/{payment_id}/complete_authorize', takes: 'body', keyed: true, gives: 'json' },
    checkEligibility: { verb: 'POST', path: '/payments/{payment_id}/eligibility', takes: 'body', keyed: true, gives: 'json' },
    checkEligibilityToo: { verb: 'POST', path: '/payments/{payment_id}/eligibility_check', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/payments/list', takes: 'query', keyed: false, gives: 'json', pages: 'payment_id' },
    search: { verb: 'POST', path: '/payments/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    listOfProfile: { verb: 'GET', path: '/payments/profile/list', takes: 'query', keyed: false, gives: 'json', pages: 'payment_id' },
    searchOfProfile: { verb: 'POST', path: '/payments/profile/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    export: { verb: 'GET', path: '/payments/export', takes: 'query', keyed: false, gives: 'text' },
    exportOfProfile: { verb: 'GET', path: '/payments/profile/export', takes: 'query', keyed: false, gives: 'text' },
    filter: { verb: 'POST', path: '/payments/filter', takes: 'body', keyed: false, reads: true, gives: 'json' },
    filterOfProfile: { verb: 'POST', path: '/payments/profile/filter', takes: 'body', keyed: false, reads: true, gives: 'json' },
    filters: { verb: 'GET', path: '/payments/v2/filter', takes: null, keyed: false, gives: 'json' },
    filtersOfProfile: { verb: 'GET', path: '/payments/v2/profile/filter', takes: null, keyed: false, gives: 'json' },
    aggregate: { verb: 'GET', path: '/payments/aggregate', takes: 'query', keyed: false, gives: 'json' },
    aggregateOfProfile: { verb: 'GET', path: '/payments/profile/aggregate', takes: 'query', keyed: false, gives: 'json' },
    createSessionTokens: { verb: 'POST', path: '/payments/session_tokens', takes: 'body', keyed: true, gives: 'json' },
    retrieveExtendedCardInfo: { verb: 'GET', path: '/payments/{payment_id}/extended_card_info', takes: null, keyed: false, gives: 'json' },
    listOperations: { verb: 'GET', path: '/payments/{payment_id}/operations', takes: null, keyed: false, gives: 'json' },
    listExchanges: { verb: 'GET', path: '/payments/{payment_id}/operations/{request_id}/exchanges', takes: null, keyed: false, gives: 'json' },
    listActions: { verb: 'GET', path: '/payments/{payment_id}/actions', takes: null, keyed: false, gives: 'json' },
    retrieveTimeline: { verb: 'GET', path: '/payments/{payment_id}/timeline', takes: null, keyed: false, gives: 'json' },
    updateManually: { verb: 'PUT', path: '/payments/{payment_id}/manual-update', takes: 'body', keyed: false, gives: 'json' },
    calculateTax: { verb: 'POST', path: '/payments/{payment_id}/calculate_tax', takes: 'body', keyed: true, gives: 'json' },
    postSessionTokens: { verb: 'POST', path: '/payments/{payment_id}/post_session_tokens', takes: 'body', keyed: true, gives: 'json' },
  },
  paymentLinks: {
    retrieve: { verb: 'GET', path: '/payment_link/{payment_link_id}', takes: 'query', keyed: false, gives: 'json' },
  },
  refunds: {
    create: { verb: 'POST', path: '/refunds', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/refunds/{refund_id}', takes: 'query', keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/refunds/{refund_id}', takes: 'body', keyed: true, gives: 'json' },
    sync: { verb: 'POST', path: '/refunds/sync', takes: 'body', keyed: false, reads: true, gives: 'json' },
    updateManually: { verb: 'PUT', path: '/refunds/{refund_id}/manual-update', takes: 'body', keyed: false, gives: 'json' },
    list: { verb: 'GET', path: '/refunds/list', takes: 'query', keyed: false, gives: 'json', pages: 'refund_id' },
    search: { verb: 'POST', path: '/refunds/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    listOfProfile: { verb: 'GET', path: '/refunds/profile/list', takes: 'query', keyed: false, gives: 'json', pages: 'refund_id' },
    searchOfProfile: { verb: 'POST', path: '/refunds/profile/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    export: { verb: 'GET', path: '/refunds/export', takes: 'query', keyed: false, gives: 'text' },
    exportOfProfile: { verb: 'GET', path: '/refunds/profile/export', takes: 'query', keyed: false, gives: 'text' },
    filter: { verb: 'POST', path: '/refunds/filter', takes: 'body', keyed: false, reads: true, gives: 'json' },
    filterOfProfile: { verb: 'POST', path: '/refunds/profile/filter', takes: 'body', keyed: false, reads: true, gives: 'json' },
    filters: { verb: 'GET', path: '/refunds/v2/filter', takes: null, keyed: false, gives: 'json' },
    filtersOfProfile: { verb: 'GET', path: '/refunds/v2/profile/filter', takes: null, keyed: false, gives: 'json' },
    aggregate: { verb: 'GET', path: '/refunds/aggregate', takes: 'query', keyed: false, gives: 'json' },
    aggregateOfProfile: { verb: 'GET', path: '/refunds/profile/aggregate', takes: 'query', keyed: false, gives: 'json' },
  },
  payouts: {
    create: { verb: 'POST', path: '/payouts/create', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/payouts/{payout_id}', takes: 'query', keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/payouts/{payout_id}', takes: 'body', keyed: true, gives: 'json' },
    put: { verb: 'PUT', path: '/payouts/{payout_id}', takes: 'body', keyed: false, gives: 'json' },
    confirm: { verb: 'POST', path: '/payouts/{payout_id}/confirm', takes: 'body', keyed: true, gives: 'json' },
    fulfill: { verb: 'POST', path: '/payouts/{payout_id}/fulfill', takes: 'body', keyed: true, gives: 'json' },
    cancel: { verb: 'POST', path: '/payouts/{payout_id}/cancel', takes: 'body', keyed: true, gives: 'json' },
    listActions: { verb: 'GET', path: '/payouts/{payout_id}/actions', takes: null, keyed: false, gives: 'json' },
    listOperations: { verb: 'GET', path: '/payouts/{payout_id}/operations', takes: null, keyed: false, gives: 'json' },
    listExchanges: { verb: 'GET', path: '/payouts/{payout_id}/operations/{request_id}/exchanges', takes: null, keyed: false, gives: 'json' },
    list: { verb: 'GET', path: '/payouts/list', takes: 'query', keyed: false, gives: 'json', pages: 'payout_id' },
    search: { verb: 'POST', path: '/payouts/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    listOfProfile: { verb: 'GET', path: '/payouts/profile/list', takes: 'query', keyed: false, gives: 'json', pages: 'payout_id' },
    searchOfProfile: { verb: 'POST', path: '/payouts/profile/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    export: { verb: 'GET', path: '/payouts/export', takes: 'query', keyed: false, gives: 'text' },
    exportOfProfile: { verb: 'GET', path: '/payouts/profile/export', takes: 'query', keyed: false, gives: 'text' },
    filter: { verb: 'POST', path: '/payouts/filter', takes: 'body', keyed: false, reads: true, gives: 'json' },
    filterOfProfile: { verb: 'POST', path: '/payouts/profile/filter', takes: 'body', keyed: false, reads: true, gives: 'json' },
    filters: { verb: 'GET', path: '/payouts/v2/filter', takes: null, keyed: false, gives: 'json' },
    filtersOfProfile: { verb: 'GET', path: '/payouts/v2/profile/filter', takes: null, keyed: false, gives: 'json' },
    aggregate: { verb: 'GET', path: '/payouts/aggregate', takes: 'query', keyed: false, gives: 'json' },
    aggregateOfProfile: { verb: 'GET', path: '/payouts/profile/aggregate', takes: 'query', keyed: false, gives: 'json' },
  },
  disputes: {
    create: { verb: 'POST', path: '/disputes', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/disputes/{dispute_id}', takes: 'query', keyed: false, gives: 'json' },
    fetch: { verb: 'GET', path: '/disputes/{connector_id}/fetch', takes: 'query', keyed: false, gives: 'json' },
    updateStatus: { verb: 'PUT', path: '/disputes/{dispute_id}/update-status', takes: 'body', keyed: false, gives: 'json' },
    accept: { verb: 'POST', path: '/disputes/accept/{dispute_id}', takes: null, keyed: true, gives: 'json' },
    attachEvidence: { verb: 'PUT', path: '/disputes/evidence', takes: 'form', keyed: false, gives: 'json' },
    deleteEvidence: { verb: 'DELETE', path: '/disputes/evidence', takes: 'body', keyed: false, gives: 'bytes' },
    submitEvidence: { verb: 'POST', path: '/disputes/evidence', takes: 'body', keyed: true, gives: 'json' },
    retrieveEvidence: { verb: 'GET', path: '/disputes/evidence/{dispute_id}', takes: null, keyed: false, gives: 'json' },
    retrieveEvidenceDraft: { verb: 'GET', path: '/disputes/{dispute_id}/draft', takes: null, keyed: false, gives: 'json' },
    saveEvidenceDraft: { verb: 'PUT', path: '/disputes/{dispute_id}/draft', takes: 'body', keyed: false, gives: 'json' },
    list: { verb: 'GET', path: '/disputes/list', takes: 'query', keyed: false, gives: 'json', pages: 'dispute_id' },
    search: { verb: 'POST', path: '/disputes/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    listOfProfile: { verb: 'GET', path: '/disputes/profile/list', takes: 'query', keyed: false, gives: 'json', pages: 'dispute_id' },
    searchOfProfile: { verb: 'POST', path: '/disputes/profile/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    export: { verb: 'GET', path: '/disputes/export', takes: 'query', keyed: false, gives: 'text' },
    exportOfProfile: { verb: 'GET', path: '/disputes/profile/export', takes: 'query', keyed: false, gives: 'text' },
    filters: { verb: 'GET', path: '/disputes/filter', takes: null, keyed: false, gives: 'json' },
    filtersOfProfile: { verb: 'GET', path: '/disputes/profile/filter', takes: null, keyed: false, gives: 'json' },
    aggregate: { verb: 'GET', path: '/disputes/aggregate', takes: 'query', keyed: false, gives: 'json' },
    aggregateOfProfile: { verb: 'GET', path: '/disputes/profile/aggregate', takes: 'query', keyed: false, gives: 'json' },
  },
  files: {
    upload: { verb: 'POST', path: '/files', takes: 'form', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/files/{file_id}', takes: null, keyed: false, gives: 'bytes' },
    retrieve: { verb: 'GET', path: '/files/{file_id}', takes: null, keyed: false, gives: 'bytes' },
  },
  customers: {
    create: { verb: 'POST', path: '/customers', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/customers/list', takes: 'query', keyed: false, gives: 'json', pages: 'customer_id' },
    listWithCount: { verb: 'GET', path: '/customers/list_with_count', takes: 'query', keyed: false, gives: 'json', pages: 'customer_id' },
    export: { verb: 'GET', path: '/customers/export', takes: 'query', keyed: false, gives: 'text' },
    retrieve: { verb: 'GET', path: '/customers/{customer_id}', takes: 'query', keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/customers/{customer_id}', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/customers/{customer_id}', takes: null, keyed: false, gives: 'json' },
    setDefaultPaymentMethod: { verb: 'POST', path: '/customers/{customer_id}/payment_methods/{payment_method_id}/default', takes: null, keyed: true, gives: 'json' },
    setDefaultPaymentMethodToo: { verb: 'POST', path: '/{customer_id}/payment_methods/{payment_method_id}/default', takes: null, keyed: true, gives: 'json' },
    listPaymentMethods: { verb: 'GET', path: '/customers/{customer_id}/payment_methods', takes: 'query', keyed: false, gives: 'json' },
    listMandates: { verb: 'GET', path: '/customers/{customer_id}/mandates', takes: null, keyed: false, gives: 'json' },
  },
  paymentMethods: {
    create: { verb: 'POST', path: '/payment_methods', takes: 'body', keyed: true, gives: 'json' },
    migrate: { verb: 'POST', path: '/payment_methods/migrate', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/payment_methods/{payment_method_id}', takes: null, keyed: false, gives: 'json' },
    delete: { verb: 'DELETE', path: '/payment_methods/{payment_method_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/payment_methods/{payment_method_id}/update', takes: 'body', keyed: true, gives: 'json' },
    save: { verb: 'POST', path: '/payment_methods/{payment_method_id}/save', takes: 'body', keyed: true, gives: 'json' },
    deleteCustomer: { verb: 'DELETE', path: '/customers/{customer_id}/payment_methods/{payment_method_id}', takes: null, keyed: false, gives: 'json' },
    listOwn: { verb: 'GET', path: '/customers/payment_methods', takes: 'query', keyed: false, gives: 'json' },
    retrieveCardBin: { verb: 'GET', path: '/cards/{bin}', takes: null, keyed: false, gives: 'json' },
    list: { verb: 'GET', path: '/account/payment_methods', takes: 'query', keyed: false, gives: 'json' },
  },
  collectLinks: {
    create: { verb: 'POST', path: '/payment_methods/collect', takes: 'body', keyed: true, gives: 'json' },
  },
  mandates: {
    list: { verb: 'GET', path: '/mandates/list', takes: 'query', keyed: false, gives: 'json', pages: 'offset' },
    retrieve: { verb: 'GET', path: '/mandates/{mandate_id}', takes: null, keyed: false, gives: 'json' },
    revoke: { verb: 'POST', path: '/mandates/revoke/{mandate_id}', takes: null, keyed: true, gives: 'json' },
  },
  events: {
    list: { verb: 'GET', path: '/events', takes: 'query', keyed: false, gives: 'json', pages: 'version' },
    stream: { verb: 'GET', path: '/events/stream', takes: 'query', keyed: false, gives: 'stream' },
    retrieve: { verb: 'GET', path: '/events/{event_id}', takes: null, keyed: false, gives: 'json' },
    search: { verb: 'POST', path: '/events/{merchant_id}', takes: 'body', keyed: false, reads: true, gives: 'json' },
    searchOwn: { verb: 'POST', path: '/events/profile/list', takes: 'body', keyed: false, reads: true, gives: 'json' },
    listAttempts: { verb: 'GET', path: '/events/{merchant_id}/{event_id}/attempts', takes: null, keyed: false, gives: 'json' },
    retry: { verb: 'POST', path: '/events/{merchant_id}/{event_id}/retry', takes: null, keyed: true, gives: 'json' },
  },
  webhookEndpoints: {
    create: { verb: 'POST', path: '/webhook_endpoints', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/webhook_endpoints', takes: 'query', keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/webhook_endpoints/{endpoint_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/webhook_endpoints/{endpoint_id}', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/webhook_endpoints/{endpoint_id}', takes: null, keyed: false, gives: 'json' },
    listDeliveries: { verb: 'GET', path: '/webhook_endpoints/{endpoint_id}/deliveries', takes: 'query', keyed: false, gives: 'json', pages: 'event_id' },
    retrieveHealth: { verb: 'GET', path: '/webhook_endpoints/{endpoint_id}/health', takes: 'query', keyed: false, gives: 'json' },
    rotateSecret: { verb: 'POST', path: '/webhook_endpoints/{endpoint_id}/rotate_secret', takes: 'body', keyed: true, gives: 'json' },
    replay: { verb: 'POST', path: '/webhook_endpoints/{endpoint_id}/replay', takes: 'body', keyed: true, gives: 'json' },
    test: { verb: 'POST', path: '/webhook_endpoints/{endpoint_id}/test', takes: 'body', keyed: true, gives: 'json' },
  },
  eventListeners: {
    create: { verb: 'POST', path: '/event_listeners', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/event_listeners', takes: null, keyed: false, gives: 'json' },
    report: { verb: 'POST', path: '/event_listeners/{listener_id}/attempts', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/event_listeners/{listener_id}', takes: null, keyed: false, gives: 'json' },
  },
  organizations: {
    create: { verb: 'POST', path: '/organization', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/organization/{organization_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'PUT', path: '/organization/{organization_id}', takes: 'body', keyed: false, gives: 'json' },
  },
  accounts: {
    create: { verb: 'POST', path: '/accounts', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/accounts/list', takes: 'query', keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/accounts/{merchant_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/accounts/{merchant_id}', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/accounts/{merchant_id}', takes: null, keyed: false, gives: 'json' },
    setKv: { verb: 'POST', path: '/accounts/{merchant_id}/kv', takes: 'body', keyed: true, gives: 'json' },
    retrieveKv: { verb: 'GET', path: '/accounts/{merchant_id}/kv', takes: null, keyed: false, gives: 'json' },
  },
  profiles: {
    create: { verb: 'POST', path: '/account/{merchant_id}/business_profile', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/account/{merchant_id}/business_profile', takes: null, keyed: false, gives: 'json' },
    listOwn: { verb: 'GET', path: '/account/{merchant_id}/profile', takes: null, keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/account/{merchant_id}/business_profile/{profile_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/account/{merchant_id}/business_profile/{profile_id}', takes: null, keyed: false, gives: 'json' },
    toggleExtendedCardInfo: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/toggle_extended_card_info', takes: 'body', keyed: true, gives: 'json' },
    toggleConnectorAgnosticMit: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/toggle_connector_agnostic_mit', takes: 'body', keyed: true, gives: 'json' },
  },
  connectorAccounts: {
    listConnectors: { verb: 'GET', path: '/connectors', takes: null, keyed: false, gives: 'json' },
    create: { verb: 'POST', path: '/account/{merchant_id}/connectors', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/account/{merchant_id}/connectors', takes: null, keyed: false, gives: 'json' },
    health: { verb: 'GET', path: '/account/{merchant_id}/connectors/health', takes: 'query', keyed: false, gives: 'json' },
    listProfile: { verb: 'GET', path: '/account/{merchant_id}/profile/connectors', takes: null, keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/account/{merchant_id}/connectors/{merchant_connector_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/account/{merchant_id}/connectors/{merchant_connector_id}', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/account/{merchant_id}/connectors/{merchant_connector_id}', takes: null, keyed: false, gives: 'json' },
    registerConnectorWebhook: { verb: 'POST', path: '/account/{merchant_id}/webhooks/{merchant_connector_id}', takes: 'body', keyed: true, gives: 'json' },
    registerConnectorWebhookToo: { verb: 'POST', path: '/account/{merchant_id}/connectors/webhooks/{merchant_connector_id}', takes: 'body', keyed: true, gives: 'json' },
    verify: { verb: 'POST', path: '/account/connectors/verify', takes: 'body', keyed: false, reads: true, gives: 'json' },
  },
  apiKeys: {
    create: { verb: 'POST', path: '/api_keys/{merchant_id}', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/api_keys/{merchant_id}/list', takes: 'query', keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/api_keys/{merchant_id}/{key_id}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/api_keys/{merchant_id}/{key_id}', takes: 'body', keyed: true, gives: 'json' },
    revoke: { verb: 'DELETE', path: '/api_keys/{merchant_id}/{key_id}', takes: null, keyed: false, gives: 'json' },
  },
  ephemeralKeys: {
    create: { verb: 'POST', path: '/ephemeral_keys', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'DELETE', path: '/ephemeral_keys/{ephemeral_key_id}', takes: null, keyed: false, gives: 'json' },
  },
  routing: {
    create: { verb: 'POST', path: '/routing', takes: 'body', keyed: true, gives: 'json' },
    list: { verb: 'GET', path: '/routing', takes: 'query', keyed: false, gives: 'json', pages: 'offset' },
    retrieveActive: { verb: 'GET', path: '/routing/active', takes: 'query', keyed: false, gives: 'json' },
    history: { verb: 'GET', path: '/routing/history', takes: 'query', keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/routing/{routing_algorithm_id}', takes: null, keyed: false, gives: 'json' },
    activate: { verb: 'POST', path: '/routing/{routing_algorithm_id}/activate', takes: 'body', keyed: true, gives: 'json' },
    deactivate: { verb: 'POST', path: '/routing/deactivate', takes: 'body', keyed: true, gives: 'json' },
    retrieveFallback: { verb: 'GET', path: '/routing/default', takes: null, keyed: false, gives: 'json' },
    setFallback: { verb: 'POST', path: '/routing/default', takes: 'body', keyed: true, gives: 'json' },
    retrieveFallbacks: { verb: 'GET', path: '/routing/default/profile', takes: null, keyed: false, gives: 'json' },
    setFallbackOfProfile: { verb: 'POST', path: '/routing/default/profile/{profile_id}', takes: 'body', keyed: true, gives: 'json' },
    createPayout: { verb: 'POST', path: '/routing/payouts', takes: 'body', keyed: true, gives: 'json' },
    listPayout: { verb: 'GET', path: '/routing/payouts', takes: 'query', keyed: false, gives: 'json', pages: 'offset' },
    retrieveActivePayout: { verb: 'GET', path: '/routing/payouts/active', takes: 'query', keyed: false, gives: 'json' },
    payoutHistory: { verb: 'GET', path: '/routing/payouts/history', takes: 'query', keyed: false, gives: 'json' },
    retrievePayout: { verb: 'GET', path: '/routing/payouts/{routing_algorithm_id}', takes: null, keyed: false, gives: 'json' },
    activatePayout: { verb: 'POST', path: '/routing/payouts/{routing_algorithm_id}/activate', takes: 'body', keyed: true, gives: 'json' },
    deactivatePayout: { verb: 'POST', path: '/routing/payouts/deactivate', takes: 'body', keyed: true, gives: 'json' },
    retrievePayoutFallback: { verb: 'GET', path: '/routing/payouts/default', takes: null, keyed: false, gives: 'json' },
    setPayoutFallback: { verb: 'POST', path: '/routing/payouts/default', takes: 'body', keyed: true, gives: 'json' },
    retrievePayoutFallbacks: { verb: 'GET', path: '/routing/payouts/default/profile', takes: null, keyed: false, gives: 'json' },
    setPayoutFallbackOfProfile: { verb: 'POST', path: '/routing/payouts/default/profile/{profile_id}', takes: 'body', keyed: true, gives: 'json' },
    listKeys: { verb: 'GET', path: '/routing/keys', takes: null, keyed: false, gives: 'json' },
    evaluate: { verb: 'POST', path: '/routing/evaluate', takes: 'body', keyed: false, reads: true, gives: 'json' },
    feedback: { verb: 'POST', path: '/routing/feedback', takes: 'body', keyed: true, gives: 'json' },
    evaluateRule: { verb: 'POST', path: '/routing/rule/evaluate', takes: 'body', keyed: false, reads: true, gives: 'json' },
    simulate: { verb: 'POST', path: '/routing/simulate', takes: 'body', keyed: false, reads: true, gives: 'json' },
    createSuccessBased: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/create', takes: 'body', keyed: true, gives: 'json' },
    toggleSuccessBased: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/toggle', takes: 'query', keyed: true, gives: 'json' },
    updateSuccessBased: { verb: 'PATCH', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/config/{algorithm_id}', takes: 'body', keyed: false, gives: 'json' },
    createElimination: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/create', takes: 'body', keyed: true, gives: 'json' },
    toggleElimination: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/toggle', takes: 'query', keyed: true, gives: 'json' },
    updateElimination: { verb: 'PATCH', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/config/{algorithm_id}', takes: 'body', keyed: false, gives: 'json' },
    toggleContractBased: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/toggle', takes: 'body', keyed: true, gives: 'json' },
    updateContractBased: { verb: 'PATCH', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/config/{algorithm_id}', takes: 'body', keyed: false, gives: 'json' },
    setDynamicShare: { verb: 'POST', path: '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/set_volume_split', takes: 'query', keyed: true, gives: 'json' },
  },
  blocklist: {
    block: { verb: 'POST', path: '/blocklist', takes: 'body', keyed: true, gives: 'json' },
    unblock: { verb: 'DELETE', path: '/blocklist', takes: 'body', keyed: false, gives: 'json' },
    list: { verb: 'GET', path: '/blocklist', takes: 'query', keyed: false, gives: 'json', pages: 'offset' },
    retrieveGuard: { verb: 'GET', path: '/blocklist/toggle', takes: null, keyed: false, gives: 'json' },
    toggle: { verb: 'POST', path: '/blocklist/toggle', takes: 'query', keyed: true, gives: 'json' },
    uploadBatch: { verb: 'POST', path: '/blocklist/batch', takes: 'form', keyed: true, gives: 'json' },
    listBatches: { verb: 'GET', path: '/blocklist/batch', takes: 'query', keyed: false, gives: 'json', pages: 'offset' },
    retrieveBatch: { verb: 'GET', path: '/blocklist/batch/{job_id}', takes: null, keyed: false, gives: 'json' },
  },
  configs: {
    create: { verb: 'POST', path: '/configs', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/configs/{key}', takes: null, keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/configs/{key}', takes: 'body', keyed: true, gives: 'json' },
    put: { verb: 'PUT', path: '/configs/{key}', takes: 'body', keyed: false, gives: 'json' },
    delete: { verb: 'DELETE', path: '/configs/{key}', takes: null, keyed: false, gives: 'json' },
  },
  errorRules: {
    create: { verb: 'POST', path: '/gsm', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'POST', path: '/gsm/get', takes: 'body', keyed: false, reads: true, gives: 'json' },
    list: { verb: 'GET', path: '/gsm/list', takes: 'query', keyed: false, gives: 'json' },
    update: { verb: 'POST', path: '/gsm/update', takes: 'body', keyed: true, gives: 'json' },
    delete: { verb: 'POST', path: '/gsm/delete', takes: 'body', keyed: true, gives: 'json' },
  },
  ledger: {
    balances: { verb: 'GET', path: '/ledger/balances', takes: 'query', keyed: false, gives: 'json' },
    entries: { verb: 'GET', path: '/ledger/entries', takes: 'query', keyed: false, gives: 'json', pages: 'entry_id' },
    export: { verb: 'GET', path: '/ledger/export', takes: 'query', keyed: false, gives: 'text' },
  },
  analytics: {
    series: { verb: 'POST', path: '/analytics/series', takes: 'body', keyed: false, reads: true, gives: 'json' },
    breakdown: { verb: 'POST', path: '/analytics/breakdown', takes: 'body', keyed: false, reads: true, gives: 'json' },
    listAttention: { verb: 'GET', path: '/attention', takes: 'query', keyed: false, gives: 'json' },
  },
  search: {
    find: { verb: 'GET', path: '/search', takes: 'query', keyed: false, gives: 'json' },
  },
  logs: {
    list: { verb: 'GET', path: '/logs', takes: 'query', keyed: false, gives: 'json' },
    retrieve: { verb: 'GET', path: '/logs/{log_id}', takes: null, keyed: false, gives: 'json' },
  },
  audit: {
    list: { verb: 'GET', path: '/audit', takes: 'query', keyed: false, gives: 'json' },
  },
  jobs: {
    list: { verb: 'GET', path: '/jobs', takes: 'query', keyed: false, gives: 'json' },
    retry: { verb: 'POST', path: '/jobs/{job_id}/retry', takes: null, keyed: true, gives: 'json' },
  },
  users: {
    signOutDevice: { verb: 'DELETE', path: '/user/device', takes: null, keyed: false, gives: 'json' },
    listRoles: { verb: 'GET', path: '/roles', takes: null, keyed: false, gives: 'json' },
    createLink: { verb: 'POST', path: '/user/link', takes: 'body', keyed: true, gives: 'json' },
  },
  approvals: {
    list: { verb: 'GET', path: '/approvals', takes: 'query', keyed: false, gives: 'json', pages: 'approval_id' },
    retrieveSettings: { verb: 'GET', path: '/approvals/settings', takes: null, keyed: false, gives: 'json' },
    updateSettings: { verb: 'POST', path: '/approvals/settings', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/approvals/{approval_id}', takes: null, keyed: false, gives: 'json' },
  },
  sampleData: {
    create: { verb: 'POST', path: '/sample_data', takes: 'body', keyed: true, gives: 'json' },
    retrieve: { verb: 'GET', path: '/sample_data/{job_id}', takes: null, keyed: false, gives: 'json' },
  },
  deployment: {
    retrieve: { verb: 'GET', path: '/deployment', takes: null, keyed: false, gives: 'json' },
    examineDatabase: { verb: 'GET', path: '/deployment/database', takes: null, keyed: false, gives: 'json' },
    health: { verb: 'GET', path: '/health', takes: null, keyed: false, gives: 'text' },
    featureMatrix: { verb: 'GET', path: '/feature_matrix', takes: null, keyed: false, gives: 'json' },
    ready: { verb: 'GET', path: '/health/ready', takes: null, keyed: false, gives: 'json' },
  },
} as const satisfies Record<string, Record<string, Operation>>

/** The resources as they are called. */
// biome-ignore format: generated
export interface Resources {
  payments: {
    /**
     * Create a payment: `POST /payments`. Creates a payment; with confirm: true it is authorized in the same call.
     */
    create(body: Body<'createPayment'>, options?: CallOptions): Promise<Answer<'createPayment'>>
    /**
     * Retrieve a payment: `GET /payments/{payment_id}`. Retrieves a payment; with force_sync=true (or
     * all_keys_required=true, which returns the processor’s response) its status is first synced with the processor.
     * If the processor does not support this, the header force-sync-unanswered names it: it reports results by
     * webhook only.
     */
    retrieve(payment_id: string, query?: Query<'retrievePayment'>, options?: CallOptions): Promise<Answer<'retrievePayment'>>
    /**
     * Update a payment: `POST /payments/{payment_id}`. Updates a payment before it is sent to a processor; with
     * confirm: true it is confirmed in the same call.
     */
    update(payment_id: string, body?: Body<'updatePayment'>, options?: CallOptions): Promise<Answer<'updatePayment'>>
    /**
     * Sync a payment: `POST /payments/sync`. Syncs a payment with its processor, where that is possible (header
     * force-sync-unanswered), and returns it; force_sync: false skips the sync.
     */
    sync(body?: Body<'syncPayment'>, options?: CallOptions): Promise<Answer<'syncPayment'>>
    /**
     * Confirm a payment: `POST /payments/{payment_id}/confirm`. Confirms a payment and authorizes it with the
     * payment method sent now or at creation.
     */
    confirm(payment_id: string, body?: Body<'confirmPayment'>, options?: CallOptions): Promise<Answer<'confirmPayment'>>
    /**
     * Update the metadata of a payment: `POST /payments/{payment_id}/update_metadata`. Adds keys to the metadata of
     * a payment in any status; other keys are unchanged.
     */
    updateMetadata(payment_id: string, body: Body<'updateMetadata'>, options?: CallOptions): Promise<Answer<'updateMetadata'>>
    /**
     * Capture a payment: `POST /payments/{payment_id}/capture`. Captures an authorized payment, fully or in part.
     */
    capture(payment_id: string, body?: Body<'capturePayment'>, options?: CallOptions): Promise<Answer<'capturePayment'>>
    /**
     * Cancel a payment: `POST /payments/{payment_id}/cancel`. Cancels a payment before capture; an authorized amount
     * is voided at the processor.
     */
    cancel(payment_id: string, body?: Body<'cancelPayment'>, options?: CallOptions): Promise<Answer<'cancelPayment'>>
    /**
     * Cancel a captured payment: `POST /payments/{payment_id}/cancel_post_capture`. Cancels a captured payment as a
     * whole, where its processor supports it. Until the processor responds, the payment keeps its status;
     * state_metadata.post_capture_void shows the progress.
     */
    cancelPostCapture(payment_id: string, body?: Body<'cancelPostCapture'>, options?: CallOptions): Promise<Answer<'cancelPostCapture'>>
    /**
     * Sync the cancellation of a captured payment: `GET /payments/{payment_id}/cancel_post_capture`. Syncs a
     * cancellation after capture with the processor and returns the payment.
     */
    retrieveCancelPostCapture(payment_id: string, options?: CallOptions): Promise<Answer<'retrieveCancelPostCapture'>>
    /**
     * Release the uncaptured amount: `POST /payments/{payment_id}/release`. Releases the uncaptured rest of a
     * partially captured payment: the rest is voided at the processor, and the captured amount is unchanged. Until
     * the processor responds, the payment keeps its status; state_metadata.release shows the progress. Sending
     * final_capture: true with the last capture has the same effect.
     */
    release(payment_id: string, body?: Body<'releasePayment'>, options?: CallOptions): Promise<Answer<'releasePayment'>>
    /**
     * Increment an authorization: `POST /payments/{payment_id}/incremental_authorization`. Increases the authorized
     * amount; amount is the new total. Requires request_incremental_authorization on the payment.
     */
    incrementAuthorization(payment_id: string, body: Body<'incrementAuthorization'>, options?: CallOptions): Promise<Answer<'incrementAuthorization'>>
    /**
     * Extend an authorization: `POST /payments/{payment_id}/extend_authorization`. Extends an authorization;
     * capture_before shows the new deadline. The processor decides for each authorization whether it can be
     * extended; the documentation lists the connectors that support it (Connectors).
     */
    extendAuthorization(payment_id: string, options?: CallOptions): Promise<Answer<'extendAuthorization'>>
    /**
     * Expire the session of a failed payment: `POST /payments/{payment_id}/expire_session`. Ends the time in which a
     * failed payment may be confirmed again, for its customer in every checkout and for your server. Use it before
     * you create another payment for the same order. The status stays failed.
     */
    expireSession(payment_id: string, options?: CallOptions): Promise<Answer<'expireSession'>>
    /**
     * Complete an authorization: `POST /payments/{payment_id}/complete_authorize`. Completes a payment after the
     * customer’s challenge: its status is synced with the processor and returned.
     */
    completeAuthorize(payment_id: string, body?: Body<'completeAuthorize'>, options?: CallOptions): Promise<Answer<'completeAuthorize'>>
    /**
     * Check eligibility: `POST /payments/{payment_id}/eligibility`. Checks whether a payment can be confirmed with
     * the customer’s payment method: sdk_next_action.next_action is confirm, or deny with the reason (the payment
     * method is blocked, no connector account supports it, or a gift card holds less than the amount). For a
     * co-badged card, card_networks lists the networks that the cardholder can choose from. Nothing is kept, and
     * nothing but the question for a gift card’s balance is sent; from a browser, a gift card that is denied counts
     * as a failed attempt.
     */
    checkEligibility(payment_id: string, body: Body<'checkEligibility'>, options?: CallOptions): Promise<Answer<'checkEligibility'>>
    /**
     * Check eligibility (alternative URL): `POST /payments/{payment_id}/eligibility_check`. Same as the eligibility
     * check, without the surcharge.
     */
    checkEligibilityToo(payment_id: string, body: Body<'checkEligibilityToo'>, options?: CallOptions): Promise<Answer<'checkEligibilityToo'>>
    /**
     * List payments: `GET /payments/list`. Lists payments, newest first: those after starting_after in that order,
     * or just before ending_before (both exclusive); optionally filtered by time range and other filters. Lists are
     * consistent: they include every change confirmed before the request.
     */
    list(query?: Query<'listPayments'>, options?: CallOptions): List<'listPayments'>
    /**
     * Search payments: `POST /payments/list`. Lists one page of the payments that match all filters, with the total
     * count. A filter with several values matches any of them.
     */
    search(body?: Body<'searchPayments'>, options?: CallOptions): Promise<Answer<'searchPayments'>>
    /**
     * List payments of a profile: `GET /payments/profile/list`. Lists payments, newest first: those after
     * starting_after in that order, or just before ending_before (both exclusive); optionally filtered by time range
     * and other filters. Lists are consistent: they include every change confirmed before the request. Limited to
     * the business profile in X-Profile-Id, or to the only profile.
     */
    listOfProfile(query?: Query<'listPaymentsOfProfile'>, options?: CallOptions): List<'listPaymentsOfProfile'>
    /**
     * Search payments of a profile: `POST /payments/profile/list`. Lists one page of the payments that match all
     * filters, with the total count. A filter with several values matches any of them. Limited to the business
     * profile in X-Profile-Id, or to the only profile.
     */
    searchOfProfile(body?: Body<'searchPaymentsOfProfile'>, options?: CallOptions): Promise<Answer<'searchPaymentsOfProfile'>>
    /**
     * Export payments: `GET /payments/export`. Exports all payments that match the filters, newest first, as a file:
     * CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per line
     * (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection ends before the
     * file is complete.
     */
    export(query?: Query<'exportPayments'>, options?: CallOptions): Promise<string>
    /**
     * Export payments of a profile: `GET /payments/profile/export`. Exports all payments that match the filters,
     * newest first, as a file: CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON
     * object per line (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection
     * ends before the file is complete. Limited to the business profile in X-Profile-Id, or to the only profile.
     */
    exportOfProfile(query?: Query<'exportPaymentsOfProfile'>, options?: CallOptions): Promise<string>
    /**
     * List the filter values in use for payments: `POST /payments/filter`. Lists the filter values that occur in the
     * payments of a time range, for use in a dashboard.
     */
    filter(body: Body<'filterPayments'>, options?: CallOptions): Promise<Answer<'filterPayments'>>
    /**
     * List the filter values in use for payments of a profile: `POST /payments/profile/filter`. Lists the filter
     * values that occur in the payments of a time range, for use in a dashboard. Limited to the business profile in
     * X-Profile-Id, or to the only profile.
     */
    filterOfProfile(body: Body<'filterPaymentsOfProfile'>, options?: CallOptions): Promise<Answer<'filterPaymentsOfProfile'>>
    /**
     * List all filter values for payments: `GET /payments/v2/filter`. Lists every possible filter value, and the
     * merchant's connector accounts by connector.
     */
    filters(options?: CallOptions): Promise<Answer<'filtersPayments'>>
    /**
     * List all filter values for payments of a profile: `GET /payments/v2/profile/filter`. Lists every possible
     * filter value, and the merchant's connector accounts by connector. Limited to the business profile in
     * X-Profile-Id, or to the only profile.
     */
    filtersOfProfile(options?: CallOptions): Promise<Answer<'filtersPaymentsOfProfile'>>
    /**
     * Count payments by status: `GET /payments/aggregate`. Counts the payments of a time range by status, those that
     * match the filters of the GET list. A filter without an index counts in the last 20,000 objects of the range,
     * and is refused in a longer one.
     */
    aggregate(query: Query<'aggregatePayments'>, options?: CallOptions): Promise<Answer<'aggregatePayments'>>
    /**
     * Count payments by status for a profile: `GET /payments/profile/aggregate`. Counts the payments of a time range
     * by status, those that match the filters of the GET list. A filter without an index counts in the last 20,000
     * objects of the range, and is refused in a longer one. Limited to the business profile in X-Profile-Id, or to
     * the only profile.
     */
    aggregateOfProfile(query: Query<'aggregatePaymentsOfProfile'>, options?: CallOptions): Promise<Answer<'aggregatePaymentsOfProfile'>>
    /**
     * Create wallet session tokens: `POST /payments/session_tokens`. Returns the data a checkout needs to open
     * wallets for a payment, one entry per wallet that is supported and configured by a connector account
     * (connector_wallets_details, or its metadata). For Apple Pay on web pages a merchant session is requested from
     * Apple (session_token_data); if none is received in five seconds, Apple Pay is left out. Empty if there is
     * none.
     */
    createSessionTokens(body: Body<'createSessionTokens'>, options?: CallOptions): Promise<Answer<'createSessionTokens'>>
    /**
     * Retrieve the encrypted card: `GET /payments/{payment_id}/extended_card_info`. Retrieves the card that the
     * payment was confirmed with, without its security code, as a JWE (RSA-OAEP-256, A256GCM) for the public key in
     * the profile’s extended_card_info_config. Available for ttl_in_secs after confirmation. Each call is recorded
     * in the audit log.
     */
    retrieveExtendedCardInfo(payment_id: string, options?: CallOptions): Promise<Answer<'retrieveExtendedCardInfo'>>
    /**
     * List the operations of a payment: `GET /payments/{payment_id}/operations`. Lists the requests to processors
     * for a payment, oldest first: authorizations, captures, voids, refunds and the service’s own reversals, each
     * with its state, the connector account, the latency and the next status poll.
     */
    listOperations(payment_id: string, options?: CallOptions): Promise<Answer<'listPaymentOperations'>>
    /**
     * List the exchanges of an operation of a payment: `GET
     * /payments/{payment_id}/operations/{request_id}/exchanges`. Lists what was sent to the processor for an
     * operation of a payment, and what it responded, oldest first: status polls too, requests for access tokens not.
     * Credentials, payment data and personal data are removed before an exchange is stored, and it is stored
     * encrypted, for EXCHANGE_DAYS. Stored are the exchanges of operations that were declined, failed or are
     * unknown, and a sample of the others (EXCHANGE_SAMPLE). Exchanges appear within two seconds. Each call is
     * recorded in the audit log.
     */
    listExchanges(payment_id: string, request_id: string, options?: CallOptions): Promise<Answer<'listPaymentExchanges'>>
    /**
     * List the actions of a payment: `GET /payments/{payment_id}/actions`. Lists what can be requested for a payment
     * now: capture, cancel, refund and others, each with the largest amount, or with the error code and the reason
     * if it would be refused. Status, amounts, operations in progress and the connector decide; other parameters of
     * the request can still be refused, and the processor can decline.
     */
    listActions(payment_id: string, options?: CallOptions): Promise<Answer<'listPaymentActions'>>
    /**
     * Retrieve the timeline of a payment: `GET /payments/{payment_id}/timeline`. Returns everything that happened
     * with a payment, oldest first: API requests, routing decisions with the excluded accounts and the reasons,
     * attempts, other operations, webhooks of the processor, events, ledger entries and deliveries. The ids of each
     * line open the next one. Requests are included while the request log stores them, deliveries for 90 days.
     */
    retrieveTimeline(payment_id: string, options?: CallOptions): Promise<Answer<'retrievePaymentTimeline'>>
    /**
     * Resolve a payment attempt manually: `PUT /payments/{payment_id}/manual-update`. For the operator: sets the
     * result of an authorization, capture or void that is unresolved at the processor, after checking with the
     * processor. It has the same effect as the processor’s own response. A completed operation cannot be changed.
     */
    updateManually(payment_id: string, body: Body<'updatePaymentManually'>, options?: CallOptions): Promise<Answer<'updatePaymentManually'>>
    /**
     * Calculate tax: `POST /payments/{payment_id}/calculate_tax`. Calculates the tax for the shipping address from
     * the business profile's tax_rates and adds it to the amount to charge. No tax is added when there is no
     * matching rate, when tax_status is exempt, or with skip_external_tax_calculation. The tax is recalculated when
     * the address changes, until an order_tax_amount is set.
     */
    calculateTax(payment_id: string, body?: Body<'calculateTax'>, options?: CallOptions): Promise<Answer<'calculateTax'>>
    /**
     * Create a wallet order: `POST /payments/{payment_id}/post_session_tokens`. Creates the order at the processor
     * that a wallet needs before payment (PayPal); next_action contains its id. Nothing is charged: the wallet
     * returns the id, and the confirmation with that id goes to the same connector account.
     */
    postSessionTokens(payment_id: string, body: Body<'postSessionTokens'>, options?: CallOptions): Promise<Answer<'postSessionTokens'>>
  }
  paymentLinks: {
    /**
     * Retrieve a payment link: `GET /payment_link/{payment_link_id}`. Retrieves a payment link. It is active until
     * its session expires (`session_expiry` of the payment or its business profile).
     */
    retrieve(payment_link_id: string, query?: Query<'retrievePaymentLink'>, options?: CallOptions): Promise<Answer<'retrievePaymentLink'>>
  }
  refunds: {
    /**
     * Create a refund: `POST /refunds`. Refunds a captured payment, fully or in part.
     */
    create(body: Body<'createRefund'>, options?: CallOptions): Promise<Answer<'createRefund'>>
    /**
     * Retrieve a refund: `GET /refunds/{refund_id}`. Retrieves a refund; with force_sync=true its status is first
     * synced with the processor, where that is possible (header force-sync-unanswered).
     */
    retrieve(refund_id: string, query?: Query<'retrieveRefund'>, options?: CallOptions): Promise<Answer<'retrieveRefund'>>
    /**
     * Update a refund: `POST /refunds/{refund_id}`. Updates the reason or metadata of a refund in any status. The
     * processor keeps the reason that the refund was created with.
     */
    update(refund_id: string, body?: Body<'updateRefund'>, options?: CallOptions): Promise<Answer<'updateRefund'>>
    /**
     * Sync a refund: `POST /refunds/sync`. Syncs a refund with its processor, where that is possible (header
     * force-sync-unanswered), and returns it; force_sync: false skips the sync.
     */
    sync(body: Body<'syncRefund'>, options?: CallOptions): Promise<Answer<'syncRefund'>>
    /**
     * Resolve a refund manually: `PUT /refunds/{refund_id}/manual-update`. For the operator: sets the result of a
     * refund that is unresolved at the processor, after checking with the processor. A completed refund cannot be
     * changed.
     */
    updateManually(refund_id: string, body: Body<'updateRefundManually'>, options?: CallOptions): Promise<Answer<'updateRefundManually'>>
    /**
     * List refunds: `GET /refunds/list`. Lists refunds, newest first: those after starting_after in that order, or
     * just before ending_before (both exclusive); optionally filtered by time range and other filters. Lists are
     * consistent: they include every change confirmed before the request.
     */
    list(query?: Query<'listRefunds'>, options?: CallOptions): List<'listRefunds'>
    /**
     * Search refunds: `POST /refunds/list`. Lists one page of the refunds that match all filters, with the total
     * count. A filter with several values matches any of them.
     */
    search(body?: Body<'searchRefunds'>, options?: CallOptions): Promise<Answer<'searchRefunds'>>
    /**
     * List refunds of a profile: `GET /refunds/profile/list`. Lists refunds, newest first: those after
     * starting_after in that order, or just before ending_before (both exclusive); optionally filtered by time range
     * and other filters. Lists are consistent: they include every change confirmed before the request. Limited to
     * the business profile in X-Profile-Id, or to the only profile.
     */
    listOfProfile(query?: Query<'listRefundsOfProfile'>, options?: CallOptions): List<'listRefundsOfProfile'>
    /**
     * Search refunds of a profile: `POST /refunds/profile/list`. Lists one page of the refunds that match all
     * filters, with the total count. A filter with several values matches any of them. Limited to the business
     * profile in X-Profile-Id, or to the only profile.
     */
    searchOfProfile(body?: Body<'searchRefundsOfProfile'>, options?: CallOptions): Promise<Answer<'searchRefundsOfProfile'>>
    /**
     * Export refunds: `GET /refunds/export`. Exports all refunds that match the filters, newest first, as a file:
     * CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per line
     * (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection ends before the
     * file is complete.
     */
    export(query?: Query<'exportRefunds'>, options?: CallOptions): Promise<string>
    /**
     * Export refunds of a profile: `GET /refunds/profile/export`. Exports all refunds that match the filters, newest
     * first, as a file: CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per
     * line (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection ends before
     * the file is complete. Limited to the business profile in X-Profile-Id, or to the only profile.
     */
    exportOfProfile(query?: Query<'exportRefundsOfProfile'>, options?: CallOptions): Promise<string>
    /**
     * List the filter values in use for refunds: `POST /refunds/filter`. Lists the filter values that occur in the
     * refunds of a time range, for use in a dashboard.
     */
    filter(body: Body<'filterRefunds'>, options?: CallOptions): Promise<Answer<'filterRefunds'>>
    /**
     * List the filter values in use for refunds of a profile: `POST /refunds/profile/filter`. Lists the filter
     * values that occur in the refunds of a time range, for use in a dashboard. Limited to the business profile in
     * X-Profile-Id, or to the only profile.
     */
    filterOfProfile(body: Body<'filterRefundsOfProfile'>, options?: CallOptions): Promise<Answer<'filterRefundsOfProfile'>>
    /**
     * List all filter values for refunds: `GET /refunds/v2/filter`. Lists every possible filter value, and the
     * merchant's connector accounts by connector.
     */
    filters(options?: CallOptions): Promise<Answer<'filtersRefunds'>>
    /**
     * List all filter values for refunds of a profile: `GET /refunds/v2/profile/filter`. Lists every possible filter
     * value, and the merchant's connector accounts by connector. Limited to the business profile in X-Profile-Id, or
     * to the only profile.
     */
    filtersOfProfile(options?: CallOptions): Promise<Answer<'filtersRefundsOfProfile'>>
    /**
     * Count refunds by status: `GET /refunds/aggregate`. Counts the refunds of a time range by status, those that
     * match the filters of the GET list. A filter without an index counts in the last 20,000 objects of the range,
     * and is refused in a longer one.
     */
    aggregate(query: Query<'aggregateRefunds'>, options?: CallOptions): Promise<Answer<'aggregateRefunds'>>
    /**
     * Count refunds by status for a profile: `GET /refunds/profile/aggregate`. Counts the refunds of a time range by
     * status, those that match the filters of the GET list. A filter without an index counts in the last 20,000
     * objects of the range, and is refused in a longer one. Limited to the business profile in X-Profile-Id, or to
     * the only profile.
     */
    aggregateOfProfile(query: Query<'aggregateRefundsOfProfile'>, options?: CallOptions): Promise<Answer<'aggregateRefundsOfProfile'>>
  }
  payouts: {
    /**
     * Create a payout: `POST /payouts/create`. Creates a payout; with confirm: true it is confirmed in the same
     * call, and with auto_fulfill: true paid out. With recurring: true the payout method is saved for the customer
     * after a successful payout (payout_method_id).
     */
    create(body: Body<'createPayout'>, options?: CallOptions): Promise<Answer<'createPayout'>>
    /**
     * Retrieve a payout: `GET /payouts/{payout_id}`. Retrieves a payout; with force_sync=true its status is first
     * synced with the processor, where that is possible (header force-sync-unanswered). Attempts are always
     * included, with or without expand_attempts.
     */
    retrieve(payout_id: string, query?: Query<'retrievePayout'>, options?: CallOptions): Promise<Answer<'retrievePayout'>>
    /**
     * Update a payout: `POST /payouts/{payout_id}`. Updates a payout before it is sent; with confirm: true it is
     * confirmed in the same call. Once it is sent, only metadata and merchant_order_reference_id can be updated.
     */
    update(payout_id: string, body?: Body<'updatePayout'>, options?: CallOptions): Promise<Answer<'updatePayout'>>
    /**
     * Update a payout (PUT): `PUT /payouts/{payout_id}`. Same as POST, for other clients of the ecosystem.
     */
    put(payout_id: string, body?: Body<'putPayout'>, options?: CallOptions): Promise<Answer<'putPayout'>>
    /**
     * Confirm a payout: `POST /payouts/{payout_id}/confirm`. Confirms a payout, optionally with its payout method.
     * With auto_fulfill it is paid out; otherwise it waits for fulfill. The recipient’s browser can send the payout
     * method and recipient details with the publishable key and client_secret; for a payout link, only methods
     * enabled in payout_link_config.
     */
    confirm(payout_id: string, body?: Body<'confirmPayout'>, options?: CallOptions): Promise<Answer<'confirmPayout'>>
    /**
     * Fulfill a payout: `POST /payouts/{payout_id}/fulfill`. Pays out a confirmed payout.
     */
    fulfill(payout_id: string, body: Body<'fulfillPayout'>, options?: CallOptions): Promise<Answer<'fulfillPayout'>>
    /**
     * Cancel a payout: `POST /payouts/{payout_id}/cancel`. Cancels a payout: immediately if it has not been sent,
     * otherwise at the processor.
     */
    cancel(payout_id: string, body: Body<'cancelPayout'>, options?: CallOptions): Promise<Answer<'cancelPayout'>>
    /**
     * List the actions of a payout: `GET /payouts/{payout_id}/actions`. Lists what can be requested for a payout
     * now: update, confirm, fulfill and cancel, or the error code and the reason if it would be refused. Status,
     * operations in progress and the connector decide, and whether the person who asks may fulfill what they made;
     * other parameters of the request can still be refused, and the processor can decline.
     */
    listActions(payout_id: string, options?: CallOptions): Promise<Answer<'listPayoutActions'>>
    /**
     * List the operations of a payout: `GET /payouts/{payout_id}/operations`. Lists the requests to processors for a
     * payout, oldest first: authorizations, captures, voids, refunds and the service’s own reversals, each with its
     * state, the connector account, the latency and the next status poll.
     */
    listOperations(payout_id: string, options?: CallOptions): Promise<Answer<'listPayoutOperations'>>
    /**
     * List the exchanges of an operation of a payout: `GET /payouts/{payout_id}/operations/{request_id}/exchanges`.
     * Lists what was sent to the processor for an operation of a payout, and what it responded, oldest first: status
     * polls too, requests for access tokens not. Credentials, payment data and personal data are removed before an
     * exchange is stored, and it is stored encrypted, for EXCHANGE_DAYS. Stored are the exchanges of operations that
     * were declined, failed or are unknown, and a sample of the others (EXCHANGE_SAMPLE). Exchanges appear within
     * two seconds. Each call is recorded in the audit log.
     */
    listExchanges(payout_id: string, request_id: string, options?: CallOptions): Promise<Answer<'listPayoutExchanges'>>
    /**
     * List payouts: `GET /payouts/list`. Lists payouts, newest first: those after starting_after in that order, or
     * just before ending_before (both exclusive); optionally filtered by time range and other filters. Lists are
     * consistent: they include every change confirmed before the request.
     */
    list(query?: Query<'listPayouts'>, options?: CallOptions): List<'listPayouts'>
    /**
     * Search payouts: `POST /payouts/list`. Lists one page of the payouts that match all filters, with the total
     * count. A filter with several values matches any of them. Required: start_time, currency, entity_type.
     */
    search(body?: Body<'searchPayouts'>, options?: CallOptions): Promise<Answer<'searchPayouts'>>
    /**
     * List payouts of a profile: `GET /payouts/profile/list`. Lists payouts, newest first: those after
     * starting_after in that order, or just before ending_before (both exclusive); optionally filtered by time range
     * and other filters. Lists are consistent: they include every change confirmed before the request. Limited to
     * the business profile in X-Profile-Id, or to the only profile.
     */
    listOfProfile(query?: Query<'listPayoutsOfProfile'>, options?: CallOptions): List<'listPayoutsOfProfile'>
    /**
     * Search payouts of a profile: `POST /payouts/profile/list`. Lists one page of the payouts that match all
     * filters, with the total count. A filter with several values matches any of them. Limited to the business
     * profile in X-Profile-Id, or to the only profile.
     */
    searchOfProfile(body?: Body<'searchPayoutsOfProfile'>, options?: CallOptions): Promise<Answer<'searchPayoutsOfProfile'>>
    /**
     * Export payouts: `GET /payouts/export`. Exports all payouts that match the filters, newest first, as a file:
     * CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per line
     * (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection ends before the
     * file is complete.
     */
    export(query?: Query<'exportPayouts'>, options?: CallOptions): Promise<string>
    /**
     * Export payouts of a profile: `GET /payouts/profile/export`. Exports all payouts that match the filters, newest
     * first, as a file: CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per
     * line (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection ends before
     * the file is complete. Limited to the business profile in X-Profile-Id, or to the only profile.
     */
    exportOfProfile(query?: Query<'exportPayoutsOfProfile'>, options?: CallOptions): Promise<string>
    /**
     * List the filter values in use for payouts: `POST /payouts/filter`. Lists the filter values that occur in the
     * payouts of a time range, for use in a dashboard.
     */
    filter(body: Body<'filterPayouts'>, options?: CallOptions): Promise<Answer<'filterPayouts'>>
    /**
     * List the filter values in use for payouts of a profile: `POST /payouts/profile/filter`. Lists the filter
     * values that occur in the payouts of a time range, for use in a dashboard. Limited to the business profile in
     * X-Profile-Id, or to the only profile.
     */
    filterOfProfile(body: Body<'filterPayoutsOfProfile'>, options?: CallOptions): Promise<Answer<'filterPayoutsOfProfile'>>
    /**
     * List all filter values for payouts: `GET /payouts/v2/filter`. Lists every possible filter value, and the
     * merchant's connector accounts by connector.
     */
    filters(options?: CallOptions): Promise<Answer<'filtersPayouts'>>
    /**
     * List all filter values for payouts of a profile: `GET /payouts/v2/profile/filter`. Lists every possible filter
     * value, and the merchant's connector accounts by connector. Limited to the business profile in X-Profile-Id, or
     * to the only profile.
     */
    filtersOfProfile(options?: CallOptions): Promise<Answer<'filtersPayoutsOfProfile'>>
    /**
     * Count payouts by status: `GET /payouts/aggregate`. Counts the payouts of a time range by status, those that
     * match the filters of the GET list. A filter without an index counts in the last 20,000 objects of the range,
     * and is refused in a longer one.
     */
    aggregate(query: Query<'aggregatePayouts'>, options?: CallOptions): Promise<Answer<'aggregatePayouts'>>
    /**
     * Count payouts by status for a profile: `GET /payouts/profile/aggregate`. Counts the payouts of a time range by
     * status, those that match the filters of the GET list. A filter without an index counts in the last 20,000
     * objects of the range, and is refused in a longer one. Limited to the business profile in X-Profile-Id, or to
     * the only profile.
     */
    aggregateOfProfile(query: Query<'aggregatePayoutsOfProfile'>, options?: CallOptions): Promise<Answer<'aggregatePayoutsOfProfile'>>
  }
  disputes: {
    /**
     * Record a dispute: `POST /disputes`. Records a dispute that you learned about outside this service. Update its
     * status with update-status.
     */
    create(body: Body<'createDispute'>, options?: CallOptions): Promise<Answer<'createDispute'>>
    /**
     * Retrieve a dispute: `GET /disputes/{dispute_id}`. Retrieves a dispute; with force_sync=true its status is
     * first synced with the processor, where that is possible (header force-sync-unanswered).
     */
    retrieve(dispute_id: string, query?: Query<'retrieveDispute'>, options?: CallOptions): Promise<Answer<'retrieveDispute'>>
    /**
     * Fetch disputes from a processor: `GET /disputes/{connector_id}/fetch`. The disputes of a connector account
     * (its id, or the connector’s name) that were received in a time range, newest first, at most 20. Undecided
     * disputes are first synced with the processor, where that is possible.
     */
    fetch(connector_id: string, query: Query<'fetchDisputes'>, options?: CallOptions): Promise<Answer<'fetchDisputes'>>
    /**
     * Update the status of a recorded dispute: `PUT /disputes/{dispute_id}/update-status`. Updates the status of a
     * manually recorded dispute.
     */
    updateStatus(dispute_id: string, body: Body<'updateDisputeStatus'>, options?: CallOptions): Promise<Answer<'updateDisputeStatus'>>
    /**
     * Accept a dispute: `POST /disputes/accept/{dispute_id}`. Accepts a dispute: the customer keeps the money.
     */
    accept(dispute_id: string, options?: CallOptions): Promise<Answer<'acceptDispute'>>
    /**
     * Attach evidence: `PUT /disputes/evidence`. Attaches a file to a dispute and replaces an earlier file of the
     * same type. The file is sent to the processor when the evidence is submitted.
     */
    attachEvidence(body?: FormData, options?: CallOptions): Promise<Answer<'attachEvidence'>>
    /**
     * Delete evidence: `DELETE /disputes/evidence`. Removes an attached file that has not been submitted.
     */
    deleteEvidence(body: Body<'deleteEvidence'>, options?: CallOptions): Promise<Uint8Array>
    /**
     * Submit evidence: `POST /disputes/evidence`. Contests a dispute: submits the evidence in the body together with
     * every attached file. Submission is final.
     */
    submitEvidence(body: Body<'submitEvidence'>, options?: CallOptions): Promise<Answer<'submitEvidence'>>
    /**
     * Retrieve evidence: `GET /disputes/evidence/{dispute_id}`. Lists the files attached to a dispute.
     */
    retrieveEvidence(dispute_id: string, options?: CallOptions): Promise<Answer<'retrieveEvidence'>>
    /**
     * Retrieve the draft of evidence: `GET /disputes/{dispute_id}/draft`. Retrieves the texts that were saved for a
     * dispute and are not submitted yet; files are listed by `GET /disputes/evidence/{dispute_id}`.
     */
    retrieveEvidenceDraft(dispute_id: string, options?: CallOptions): Promise<Answer<'retrieveEvidenceDraft'>>
    /**
     * Save the draft of evidence: `PUT /disputes/{dispute_id}/draft`. Saves texts for a dispute in the place of
     * those that were saved before; nothing is sent to the processor. To submit them, send them to `POST
     * /disputes/evidence`: the draft is deleted then, and also when the dispute is accepted.
     */
    saveEvidenceDraft(dispute_id: string, body?: Body<'saveEvidenceDraft'>, options?: CallOptions): Promise<Answer<'saveEvidenceDraft'>>
    /**
     * List disputes: `GET /disputes/list`. Lists disputes, newest first: those after starting_after in that order,
     * or just before ending_before (both exclusive); optionally filtered by time range and other filters. Lists are
     * consistent: they include every change confirmed before the request.
     */
    list(query?: Query<'listDisputes'>, options?: CallOptions): List<'listDisputes'>
    /**
     * Search disputes: `POST /disputes/list`. Lists one page of the disputes that match all filters, with the total
     * count. A filter with several values matches any of them. Required: start_time.
     */
    search(body?: Body<'searchDisputes'>, options?: CallOptions): Promise<Answer<'searchDisputes'>>
    /**
     * List disputes of a profile: `GET /disputes/profile/list`. Lists disputes, newest first: those after
     * starting_after in that order, or just before ending_before (both exclusive); optionally filtered by time range
     * and other filters. Lists are consistent: they include every change confirmed before the request. Limited to
     * the business profile in X-Profile-Id, or to the only profile.
     */
    listOfProfile(query?: Query<'listDisputesOfProfile'>, options?: CallOptions): List<'listDisputesOfProfile'>
    /**
     * Search disputes of a profile: `POST /disputes/profile/list`. Lists one page of the disputes that match all
     * filters, with the total count. A filter with several values matches any of them. Limited to the business
     * profile in X-Profile-Id, or to the only profile.
     */
    searchOfProfile(body?: Body<'searchDisputesOfProfile'>, options?: CallOptions): Promise<Answer<'searchDisputesOfProfile'>>
    /**
     * Export disputes: `GET /disputes/export`. Exports all disputes that match the filters, newest first, as a file:
     * CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per line
     * (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection ends before the
     * file is complete.
     */
    export(query?: Query<'exportDisputes'>, options?: CallOptions): Promise<string>
    /**
     * Export disputes of a profile: `GET /disputes/profile/export`. Exports all disputes that match the filters,
     * newest first, as a file: CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON
     * object per line (`format=jsonl`, complete objects). The file is streamed; if an error occurs, the connection
     * ends before the file is complete. Limited to the business profile in X-Profile-Id, or to the only profile.
     */
    exportOfProfile(query?: Query<'exportDisputesOfProfile'>, options?: CallOptions): Promise<string>
    /**
     * List all filter values for disputes: `GET /disputes/filter`. Lists every possible filter value, and the
     * merchant's connector accounts by connector.
     */
    filters(options?: CallOptions): Promise<Answer<'filtersDisputes'>>
    /**
     * List all filter values for disputes of a profile: `GET /disputes/profile/filter`. Lists every possible filter
     * value, and the merchant's connector accounts by connector. Limited to the business profile in X-Profile-Id, or
     * to the only profile.
     */
    filtersOfProfile(options?: CallOptions): Promise<Answer<'filtersDisputesOfProfile'>>
    /**
     * Count disputes by status: `GET /disputes/aggregate`. Counts the disputes of a time range by status, those that
     * match the filters of the GET list. A filter without an index counts in the last 20,000 objects of the range,
     * and is refused in a longer one.
     */
    aggregate(query: Query<'aggregateDisputes'>, options?: CallOptions): Promise<Answer<'aggregateDisputes'>>
    /**
     * Count disputes by status for a profile: `GET /disputes/profile/aggregate`. Counts the disputes of a time range
     * by status, those that match the filters of the GET list. A filter without an index counts in the last 20,000
     * objects of the range, and is refused in a longer one. Limited to the business profile in X-Profile-Id, or to
     * the only profile.
     */
    aggregateOfProfile(query: Query<'aggregateDisputesOfProfile'>, options?: CallOptions): Promise<Answer<'aggregateDisputesOfProfile'>>
  }
  files: {
    /**
     * Upload an evidence file: `POST /files`. Uploads a file for a dispute (PDF, JPEG or PNG). With `evidence_type`
     * the file is attached as that evidence; without it, reference its `file_id` in `POST /disputes/evidence`. A
     * file that is never referenced is not submitted.
     */
    upload(body?: FormData, options?: CallOptions): Promise<Answer<'uploadFile'>>
    /**
     * Delete an evidence file: `DELETE /files/{file_id}`. Deletes a file that has not been submitted, by its id.
     */
    delete(file_id: string, options?: CallOptions): Promise<Uint8Array>
    /**
     * Retrieve an evidence file: `GET /files/{file_id}`. Downloads a file that is attached to a dispute, unchanged.
     * Its `file_id` is listed in the evidence.
     */
    retrieve(file_id: string, options?: CallOptions): Promise<Uint8Array>
  }
  customers: {
    /**
     * Create a customer: `POST /customers`. Creates a customer. If a customer with this customer_id exists, it is
     * returned unchanged.
     */
    create(body?: Body<'createCustomer'>, options?: CallOptions): Promise<Answer<'createCustomer'>>
    /**
     * List customers: `GET /customers/list`. Lists customers that are not deleted, newest first: those after
     * starting_after in that order, or just before ending_before; optionally filtered by time range, email address
     * or phone number.
     */
    list(query?: Query<'listCustomers'>, options?: CallOptions): List<'listCustomers'>
    /**
     * List and count customers: `GET /customers/list_with_count`. Returns the same list with the total count, and on
     * request (`expand_activity`) with what each customer has saved and paid last.
     */
    listWithCount(query?: Query<'listCustomersWithCount'>, options?: CallOptions): List<'listCustomersWithCount'>
    /**
     * Export customers: `GET /customers/export`. Exports all customers that match the filters, newest first, as a
     * file: CSV (`format=csv`; nested values are JSON, and no cell is a formula) or one JSON object per line
     * (`format=jsonl`). Deleted customers are not in it. The file is streamed; if an error occurs, the connection
     * ends before the file is complete.
     */
    export(query?: Query<'exportCustomers'>, options?: CallOptions): Promise<string>
    /**
     * Retrieve a customer: `GET /customers/{customer_id}`. Retrieves a customer.
     */
    retrieve(customer_id: string, query?: Query<'retrieveCustomer'>, options?: CallOptions): Promise<Answer<'retrieveCustomer'>>
    /**
     * Update a customer: `POST /customers/{customer_id}`. Updates a customer. Fields that are not sent are
     * unchanged; an address is replaced as a whole.
     */
    update(customer_id: string, body?: Body<'updateCustomer'>, options?: CallOptions): Promise<Answer<'updateCustomer'>>
    /**
     * Delete a customer: `DELETE /customers/{customer_id}`. Deletes a customer and their personal data. Their
     * payments are kept under the same customer_id.
     */
    delete(customer_id: string, options?: CallOptions): Promise<Answer<'deleteCustomer'>>
    /**
     * Set the default payment method: `POST /customers/{customer_id}/payment_methods/{payment_method_id}/default`.
     * Sets a payment method as its customer’s default.
     */
    setDefaultPaymentMethod(customer_id: string, payment_method_id: string, options?: CallOptions): Promise<Answer<'setDefaultPaymentMethod'>>
    /**
     * Set the default payment method (short path): `POST
     * /{customer_id}/payment_methods/{payment_method_id}/default`. Sets a payment method as its customer’s default.
     */
    setDefaultPaymentMethodToo(customer_id: string, payment_method_id: string, options?: CallOptions): Promise<Answer<'setDefaultPaymentMethodToo'>>
    /**
     * List a customer's payment methods: `GET /customers/{customer_id}/payment_methods`. Lists a customer’s saved
     * payment methods: the default first, then the most recently used. The merchant’s server also receives methods
     * that are for payouts only (`payout_method_data`). Each call creates new payment tokens, valid for 15 minutes.
     */
    listPaymentMethods(customer_id: string, query?: Query<'listCustomerPaymentMethods'>, options?: CallOptions): Promise<Answer<'listCustomerPaymentMethods'>>
    /**
     * List a customer's mandates: `GET /customers/{customer_id}/mandates`. Lists a customer's mandates, newest
     * first. Returns 404 for a customer without mandates, as the ecosystem does.
     */
    listMandates(customer_id: string, options?: CallOptions): Promise<Answer<'listCustomerMandates'>>
  }
  paymentMethods: {
    /**
     * Create a payment method: `POST /payment_methods`. Saves a card or a payout method for a customer
     * (bank_transfer, wallet, bank_redirect: for `payout_method_id` and `payout_token`); saving the same one again
     * updates the existing payment method. Without customer_id a customer is created. For card_redirect, pay_later,
     * bank_redirect, crypto and bank_debit (`payment_method_data`) only a record is stored, which is returned masked
     * and cannot be charged.
     */
    create(body: Body<'createPaymentMethod'>, options?: CallOptions): Promise<Answer<'createPaymentMethod'>>
    /**
     * Migrate a payment method: `POST /payment_methods/migrate`. Saves a card from another vault, so that it can be
     * charged without its customer: by what a processor calls it (`connector_mandate_details`), or by the network’s
     * id of the payment in which the cardholder agreed. With `network_transaction_id` and one account in
     * `connector_mandate_details`, the id is used at that account; otherwise at any account, if the business profile
     * has is_connector_agnostic_mit_enabled. A network token (`network_token`, with `network_transaction_id`, and
     * without `card`) is charged off-session only. Migrating the same card again updates the existing payment
     * method.
     */
    migrate(body: Body<'migratePaymentMethod'>, options?: CallOptions): Promise<Answer<'migratePaymentMethod'>>
    /**
     * Retrieve a payment method: `GET /payment_methods/{payment_method_id}`. Retrieves a payment method.
     */
    retrieve(payment_method_id: string, options?: CallOptions): Promise<Answer<'retrievePaymentMethod'>>
    /**
     * Delete a payment method: `DELETE /payment_methods/{payment_method_id}`. Deletes a payment method and its card
     * number. If it was the customer’s default, the customer has no default afterwards. With an ephemeral key, only
     * a payment method of its customer is found.
     */
    delete(payment_method_id: string, options?: CallOptions): Promise<Answer<'deletePaymentMethod'>>
    /**
     * Update a payment method: `POST /payment_methods/{payment_method_id}/update`. Updates the expiry date, name or
     * number of a saved card. Fields that are not sent are unchanged.
     */
    update(payment_method_id: string, body?: Body<'updatePaymentMethod'>, options?: CallOptions): Promise<Answer<'updatePaymentMethod'>>
    /**
     * Add the data of a payment method: `POST /payment_methods/{payment_method_id}/save`. Adds card data to a
     * payment method that was created without it.
     */
    save(payment_method_id: string, body?: Body<'savePaymentMethod'>, options?: CallOptions): Promise<Answer<'savePaymentMethod'>>
    /**
     * Delete a payment method of a customer: `DELETE /customers/{customer_id}/payment_methods/{payment_method_id}`.
     * Deletes a payment method of this customer and its card number, also from the customer’s browser with an
     * ephemeral key. Another customer’s is not found.
     */
    deleteCustomer(customer_id: string, payment_method_id: string, options?: CallOptions): Promise<Answer<'deleteCustomerPaymentMethod'>>
    /**
     * List the payment methods of a payment's customer: `GET /customers/payment_methods`. Lists, for a checkout, the
     * saved payment methods of the customer of the payment that client_secret belongs to, or of the customer of an
     * ephemeral key. Servers can omit the client_secret; the list is then empty. Each call creates new payment
     * tokens, valid for 15 minutes.
     */
    listOwn(query?: Query<'listOwnPaymentMethods'>, options?: CallOptions): Promise<Answer<'listOwnPaymentMethods'>>
    /**
     * Retrieve what is known about a BIN: `GET /cards/{bin}`. Returns the network, type, issuer and country of the
     * cards that begin with these six to eight digits.
     */
    retrieveCardBin(bin: string, options?: CallOptions): Promise<Answer<'retrieveCardBin'>>
    /**
     * List available payment methods: `GET /account/payment_methods`. Lists the payment methods that a business
     * profile’s connector accounts support together: with a client_secret, those for that payment and the data still
     * required from the customer; for a server, all that the profile supports (`X-Profile-Id`, or the default
     * profile).
     */
    list(query?: Query<'listPaymentMethods'>, options?: CallOptions): Promise<Answer<'listPaymentMethods'>>
  }
  collectLinks: {
    /**
     * Create a payment method collect link: `POST /payment_methods/collect`. Creates a link to a page where a
     * customer enters a payment method to save. The link expires after `session_expiry` seconds, 15 minutes by
     * default.
     */
    create(body: Body<'createCollectLink'>, options?: CallOptions): Promise<Answer<'createCollectLink'>>
  }
  mandates: {
    /**
     * List mandates: `GET /mandates/list`. Lists mandates, newest first; optionally filtered by status, connector,
     * customer or time range.
     */
    list(query?: Query<'listMandates'>, options?: CallOptions): List<'listMandates'>
    /**
     * Retrieve a mandate: `GET /mandates/{mandate_id}`. Retrieves a mandate.
     */
    retrieve(mandate_id: string, options?: CallOptions): Promise<Answer<'retrieveMandate'>>
    /**
     * Revoke a mandate: `POST /mandates/revoke/{mandate_id}`. Revokes a mandate, which can no longer be charged.
     * Payments in progress continue.
     */
    revoke(mandate_id: string, options?: CallOptions): Promise<Answer<'revokeMandate'>>
  }
  events: {
    /**
     * List events: `GET /events`. Lists the history of a payment, oldest first; without an object_id, lists the
     * merchant’s events, newest first.
     */
    list(query?: Query<'listEvents'>, options?: CallOptions): List<'listEvents'>
    /**
     * Stream events: `GET /events/stream`. Streams the merchant’s events as Server-Sent Events, each with the body
     * of its webhook, from now on or from the event in the `Last-Event-ID` header. Delivery is at least once: after
     * a reconnect, the events of the previous 30 seconds are sent again with the same ids. The stream ends within a
     * second when its key is revoked or expires.
     */
    stream(options?: StreamOptions): EventStream
    /**
     * Retrieve an event: `GET /events/{event_id}`. Retrieves an event with its payload, its webhook endpoints and
     * every delivery attempt.
     */
    retrieve(event_id: string, options?: CallOptions): Promise<Answer<'retrieveEvent'>>
    /**
     * Search events: `POST /events/{merchant_id}`. Lists the merchant’s events of the last 90 days, newest first.
     */
    search(merchant_id: string, body?: Body<'searchEvents'>, options?: CallOptions): Promise<Answer<'searchEvents'>>
    /**
     * Search events of a profile: `POST /events/profile/list`. Same as above, for the merchant of the API key and
     * the business profile in the X-Profile-Id header.
     */
    searchOwn(body?: Body<'searchOwnEvents'>, options?: CallOptions): Promise<Answer<'searchOwnEvents'>>
    /**
     * List the delivery attempts of an event: `GET /events/{merchant_id}/{event_id}/attempts`. Lists every delivery
     * attempt of an event, oldest first, with the request and the response.
     */
    listAttempts(merchant_id: string, event_id: string, options?: CallOptions): Promise<Answer<'listEventAttempts'>>
    /**
     * Redeliver an event: `POST /events/{merchant_id}/{event_id}/retry`. Redelivers an event immediately with its
     * original payload, to every endpoint that has not received it, or to all endpoints if all have, and to every
     * event listener, and returns the response. Without an endpoint, waits up to ten seconds for a listener’s.
     */
    retry(merchant_id: string, event_id: string, options?: CallOptions): Promise<Answer<'retryEvent'>>
  }
  webhookEndpoints: {
    /**
     * Create a webhook endpoint: `POST /webhook_endpoints`. Creates a webhook endpoint for a business profile. Its
     * secret is returned only in this response. Requires `customers:personal`, too, because the endpoint receives
     * the personal data of customers.
     */
    create(body: Body<'createWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'createWebhookEndpoint'>>
    /**
     * List webhook endpoints: `GET /webhook_endpoints`. Lists the webhook endpoints of all business profiles; those
     * from webhook_details come first.
     */
    list(query?: Query<'listWebhookEndpoints'>, options?: CallOptions): Promise<Answer<'listWebhookEndpoints'>>
    /**
     * Retrieve a webhook endpoint: `GET /webhook_endpoints/{endpoint_id}`. Retrieves a webhook endpoint with its
     * delivery status.
     */
    retrieve(endpoint_id: string, options?: CallOptions): Promise<Answer<'retrieveWebhookEndpoint'>>
    /**
     * Update a webhook endpoint: `POST /webhook_endpoints/{endpoint_id}`. Updates a webhook endpoint. Fields that
     * are not sent are unchanged. `url` requires `customers:personal`, too, and confirms an endpoint that needs a
     * review. `enabled: true` also re-enables an endpoint that was disabled after failed deliveries.
     */
    update(endpoint_id: string, body?: Body<'updateWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'updateWebhookEndpoint'>>
    /**
     * Delete a webhook endpoint: `DELETE /webhook_endpoints/{endpoint_id}`. Deletes a webhook endpoint; no further
     * events are sent to it.
     */
    delete(endpoint_id: string, options?: CallOptions): Promise<Answer<'deleteWebhookEndpoint'>>
    /**
     * List the deliveries to a webhook endpoint: `GET /webhook_endpoints/{endpoint_id}/deliveries`. Lists the events
     * that were sent to an endpoint, or are waiting for it, newest first, each with its last attempt. `next_try_at`
     * is null for an event that waits for an earlier one of the same object.
     */
    listDeliveries(endpoint_id: string, query?: Query<'listDeliveries'>, options?: CallOptions): List<'listDeliveries'>
    /**
     * Retrieve the health of a webhook endpoint: `GET /webhook_endpoints/{endpoint_id}/health`. Retrieves how an
     * endpoint has been doing in the last hour, day or week: attempts, how many it accepted, its response times, and
     * the events that wait for it now. All processes of the service are counted; other processes report every ten
     * seconds.
     */
    retrieveHealth(endpoint_id: string, query?: Query<'retrieveWebhookEndpointHealth'>, options?: CallOptions): Promise<Answer<'retrieveWebhookEndpointHealth'>>
    /**
     * Rotate the secret of a webhook endpoint: `POST /webhook_endpoints/{endpoint_id}/rotate_secret`. Rotates an
     * endpoint’s secret. The new secret is returned only in this response. The previous secret keeps signing for one
     * day, or for the time in the request.
     */
    rotateSecret(endpoint_id: string, body?: Body<'rotateWebhookSecret'>, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>
    /**
     * Redeliver events of a time range: `POST /webhook_endpoints/{endpoint_id}/replay`. Redelivers to an endpoint
     * the events of a time range that it is subscribed to, or only those that were never delivered: at most 5,000,
     * in order, each with the original payload. After 90 days it is read from the archive of the deployment
     * (ARCHIVE_BUCKET); without an archive, and once a customer was deleted, it is written anew from the history.
     */
    replay(endpoint_id: string, body: Body<'replayEvents'>, options?: CallOptions): Promise<Answer<'replayEvents'>>
    /**
     * Send a test event: `POST /webhook_endpoints/{endpoint_id}/test`. Sends an event of type webhook_test to the
     * endpoint, once, and returns its response.
     */
    test(endpoint_id: string, body?: Body<'testWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'testWebhookEndpoint'>>
  }
  eventListeners: {
    /**
     * Register an event listener: `POST /event_listeners`. Registers a listener; its stream is `GET /events/stream`
     * with its `listener_id`. Test mode only.
     */
    create(body: Body<'createEventListener'>, options?: CallOptions): Promise<Answer<'createEventListener'>>
    /**
     * List event listeners: `GET /event_listeners`. Lists the listeners that are there now, the oldest first.
     */
    list(options?: CallOptions): Promise<Answer<'listEventListeners'>>
    /**
     * Report what a listener was answered: `POST /event_listeners/{listener_id}/attempts`. Lists attempts of a
     * listener among those of their events, each once, however often it is reported; and keeps the listener
     * registered. Attempts of events that were sent again carry their `delivery_id`.
     */
    report(listener_id: string, body: Body<'reportListenerAttempts'>, options?: CallOptions): Promise<Answer<'reportListenerAttempts'>>
    /**
     * End an event listener: `DELETE /event_listeners/{listener_id}`. Ends a listener: nothing is sent again to it.
     */
    delete(listener_id: string, options?: CallOptions): Promise<Answer<'deleteEventListener'>>
  }
  organizations: {
    /**
     * Create an organization: `POST /organization`. Creates an organization, which groups merchant accounts.
     */
    create(body: Body<'createOrganization'>, options?: CallOptions): Promise<Answer<'createOrganization'>>
    /**
     * Retrieve an organization: `GET /organization/{organization_id}`. Retrieves an organization.
     */
    retrieve(organization_id: string, options?: CallOptions): Promise<Answer<'retrieveOrganization'>>
    /**
     * Update an organization: `PUT /organization/{organization_id}`. Updates an organization. Fields that are not
     * sent are unchanged.
     */
    update(organization_id: string, body?: Body<'updateOrganization'>, options?: CallOptions): Promise<Answer<'updateOrganization'>>
  }
  accounts: {
    /**
     * Create a merchant account: `POST /accounts`. Creates a merchant account with its business profiles: one for
     * each entry in primary_business_details, or a single profile named default.
     */
    create(body: Body<'createMerchantAccount'>, options?: CallOptions): Promise<Answer<'createMerchantAccount'>>
    /**
     * List merchant accounts: `GET /accounts/list`. Lists the merchant accounts of an organization.
     */
    list(query: Query<'listMerchantAccounts'>, options?: CallOptions): Promise<Answer<'listMerchantAccounts'>>
    /**
     * Retrieve a merchant account: `GET /accounts/{merchant_id}`. Retrieves a merchant account.
     */
    retrieve(merchant_id: string, options?: CallOptions): Promise<Answer<'retrieveMerchantAccount'>>
    /**
     * Update a merchant account: `POST /accounts/{merchant_id}`. Updates a merchant account. Fields that are not
     * sent are unchanged, and webhook_details are merged. A business profile is created for each new entry in
     * primary_business_details.
     */
    update(merchant_id: string, body?: Body<'updateMerchantAccount'>, options?: CallOptions): Promise<Answer<'updateMerchantAccount'>>
    /**
     * Delete a merchant account: `DELETE /accounts/{merchant_id}`. Deletes a merchant account and invalidates its
     * API keys. Existing payments continue, and its id cannot be reused. Refused while an operation is in progress
     * at a processor.
     */
    delete(merchant_id: string, options?: CallOptions): Promise<Answer<'deleteMerchantAccount'>>
    /**
     * Turn the key-value store on or off: `POST /accounts/{merchant_id}/kv`. Accepts the storage scheme that
     * existing set-up scripts send. The service has a single storage scheme, so the value is only stored and
     * returned.
     */
    setKv(merchant_id: string, body: Body<'setKv'>, options?: CallOptions): Promise<Answer<'setKv'>>
    /**
     * Retrieve the state of the key-value store: `GET /accounts/{merchant_id}/kv`. Retrieves the stored value.
     */
    retrieveKv(merchant_id: string, options?: CallOptions): Promise<Answer<'retrieveKv'>>
  }
  profiles: {
    /**
     * Create a business profile: `POST /account/{merchant_id}/business_profile`. Creates a business profile. The
     * merchant then has no implicit default: payments must set profile_id unless the merchant account has a
     * default_profile.
     */
    create(merchant_id: string, body?: Body<'createProfile'>, options?: CallOptions): Promise<Answer<'createProfile'>>
    /**
     * List business profiles: `GET /account/{merchant_id}/business_profile`. Lists the business profiles of a
     * merchant; with X-Profile-Id, only that profile.
     */
    list(merchant_id: string, options?: CallOptions): Promise<Answer<'listProfiles'>>
    /**
     * List business profiles, for one profile: `GET /account/{merchant_id}/profile`. Same as above, at the URL used
     * by existing clients with a single profile.
     */
    listOwn(merchant_id: string, options?: CallOptions): Promise<Answer<'listOwnProfiles'>>
    /**
     * Retrieve a business profile: `GET /account/{merchant_id}/business_profile/{profile_id}`. Retrieves a business
     * profile.
     */
    retrieve(merchant_id: string, profile_id: string, options?: CallOptions): Promise<Answer<'retrieveProfile'>>
    /**
     * Update a business profile: `POST /account/{merchant_id}/business_profile/{profile_id}`. Updates a business
     * profile. Fields that are not sent are unchanged, and webhook_details are merged. extended_card_info_config,
     * the key that cards are encrypted for, requires the admin key.
     */
    update(merchant_id: string, profile_id: string, body?: Body<'updateProfile'>, options?: CallOptions): Promise<Answer<'updateProfile'>>
    /**
     * Delete a business profile: `DELETE /account/{merchant_id}/business_profile/{profile_id}`. Deletes a business
     * profile and its connector accounts; existing payments continue. Refused while an operation is in progress at a
     * processor.
     */
    delete(merchant_id: string, profile_id: string, options?: CallOptions): Promise<Answer<'deleteProfile'>>
    /**
     * Turn extended card information on or off: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/toggle_extended_card_info`. Sets
     * is_extended_card_info_enabled of the profile: whether responses include the first eight digits of a card
     * (`card_extended_bin`), and whether GET /payments/{payment_id}/extended_card_info returns the card, encrypted
     * for the key in extended_card_info_config.
     */
    toggleExtendedCardInfo(merchant_id: string, profile_id: string, body: Body<'toggleExtendedCardInfo'>, options?: CallOptions): Promise<Answer<'toggleExtendedCardInfo'>>
    /**
     * Turn connector-agnostic recurring payments on or off: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/toggle_connector_agnostic_mit`. Sets
     * is_connector_agnostic_mit_enabled of the profile: whether a saved card can be charged off-session at a
     * connector account other than the one that stores it, with its network_transaction_id.
     */
    toggleConnectorAgnosticMit(merchant_id: string, profile_id: string, body: Body<'toggleConnectorAgnosticMit'>, options?: CallOptions): Promise<Answer<'toggleConnectorAgnosticMit'>>
  }
  connectorAccounts: {
    /**
     * List connectors: `GET /connectors`. Lists the processors that this service connects to, with what an account
     * needs (credentials, metadata), what each supports (payment methods, capture methods, verbs, currencies,
     * evidence), and how well it is documented.
     */
    listConnectors(options?: CallOptions): Promise<Answer<'listConnectors'>>
    /**
     * Create a connector account: `POST /account/{merchant_id}/connectors`. Creates a connector account: a
     * processor’s credentials for one business profile.
     */
    create(merchant_id: string, body: Body<'createConnectorAccount'>, options?: CallOptions): Promise<Answer<'createConnectorAccount'>>
    /**
     * List connector accounts: `GET /account/{merchant_id}/connectors`. Lists the connector accounts of a merchant;
     * with X-Profile-Id, only those of that profile.
     */
    list(merchant_id: string, options?: CallOptions): Promise<Answer<'listConnectorAccounts'>>
    /**
     * Retrieve the health of connector accounts: `GET /account/{merchant_id}/connectors/health`. Retrieves how the
     * connector accounts of a merchant have been doing in the last hour, day or week: payments and their success
     * rate, calls by verb with response times, the circuit breaker, and the last webhook. All processes of the
     * service are counted; other processes report every ten seconds.
     */
    health(merchant_id: string, query?: Query<'retrieveConnectorHealth'>, options?: CallOptions): Promise<Answer<'retrieveConnectorHealth'>>
    /**
     * List connector accounts, for one profile: `GET /account/{merchant_id}/profile/connectors`. Same as above, at
     * the URL used by existing clients with a single profile.
     */
    listProfile(merchant_id: string, options?: CallOptions): Promise<Answer<'listProfileConnectorAccounts'>>
    /**
     * Retrieve a connector account: `GET /account/{merchant_id}/connectors/{merchant_connector_id}`. Retrieves a
     * connector account with masked credentials.
     */
    retrieve(merchant_id: string, merchant_connector_id: string, options?: CallOptions): Promise<Answer<'retrieveConnectorAccount'>>
    /**
     * Update a connector account: `POST /account/{merchant_id}/connectors/{merchant_connector_id}`. Updates a
     * connector account. Fields that are not sent are unchanged; payment_methods_enabled is replaced as a whole. An
     * update without `disabled` enables an active account.
     */
    update(merchant_id: string, merchant_connector_id: string, body: Body<'updateConnectorAccount'>, options?: CallOptions): Promise<Answer<'updateConnectorAccount'>>
    /**
     * Delete a connector account: `DELETE /account/{merchant_id}/connectors/{merchant_connector_id}`. Deletes a
     * connector account, which is no longer used for new payments. Existing payments and their refunds continue
     * through it. Refused while an operation is in progress at the processor.
     */
    delete(merchant_id: string, merchant_connector_id: string, options?: CallOptions): Promise<Answer<'deleteConnectorAccount'>>
    /**
     * Register a webhook at the processor: `POST /account/{merchant_id}/webhooks/{merchant_connector_id}`. Tells the
     * processor of an account to send its webhooks here, signed with the account’s merchant_secret.
     */
    registerConnectorWebhook(merchant_id: string, merchant_connector_id: string, body?: Body<'registerConnectorWebhook'>, options?: CallOptions): Promise<Answer<'registerConnectorWebhook'>>
    /**
     * Register a webhook at the processor (alternative URL): `POST
     * /account/{merchant_id}/connectors/webhooks/{merchant_connector_id}`. Same as above, at the URL used by some
     * existing clients.
     */
    registerConnectorWebhookToo(merchant_id: string, merchant_connector_id: string, body?: Body<'registerConnectorWebhookToo'>, options?: CallOptions): Promise<Answer<'registerConnectorWebhookToo'>>
    /**
     * Verify credentials: `POST /account/connectors/verify`. Verifies credentials with the processor, either before
     * they are stored or (merchant_connector_id) for an existing account. Nothing is stored, and no money moves.
     */
    verify(body?: Body<'verifyCredentials'>, options?: CallOptions): Promise<Answer<'verifyCredentials'>>
  }
  apiKeys: {
    /**
     * Create an API key: `POST /api_keys/{merchant_id}`. Creates a secret API key for a merchant. The key is
     * returned only in this response. A person with a session gives their password or a passkey; one of single
     * sign-on must have signed in within ten minutes.
     */
    create(merchant_id: string, body: Body<'createApiKey'>, options?: CallOptions): Promise<Answer<'createApiKey'>>
    /**
     * List API keys: `GET /api_keys/{merchant_id}/list`. Lists a merchant’s API keys that are not revoked, newest
     * first, with the time of last use (to the minute).
     */
    list(merchant_id: string, query?: Query<'listApiKeys'>, options?: CallOptions): Promise<Answer<'listApiKeys'>>
    /**
     * Retrieve an API key: `GET /api_keys/{merchant_id}/{key_id}`. Retrieves an API key’s details. The key itself is
     * never returned.
     */
    retrieve(merchant_id: string, key_id: string, options?: CallOptions): Promise<Answer<'retrieveApiKey'>>
    /**
     * Update an API key: `POST /api_keys/{merchant_id}/{key_id}`. Updates the name, description or expiration of an
     * API key. Fields that are not sent are unchanged. A person cannot change the expiration of a key with scopes
     * that their role lacks, and gives their password or a passkey for a later one.
     */
    update(merchant_id: string, key_id: string, body?: Body<'updateApiKey'>, options?: CallOptions): Promise<Answer<'updateApiKey'>>
    /**
     * Revoke an API key: `DELETE /api_keys/{merchant_id}/{key_id}`. Revokes a secret API key. The revocation takes
     * effect within a second; keys of deleted merchants can be revoked too.
     */
    revoke(merchant_id: string, key_id: string, options?: CallOptions): Promise<Answer<'revokeApiKey'>>
  }
  ephemeralKeys: {
    /**
     * Create an ephemeral key: `POST /ephemeral_keys`. Creates an ephemeral key for a customer's browser. For one
     * hour it gives access to that customer's own data. The key is returned only in this response.
     */
    create(body: Body<'createEphemeralKey'>, options?: CallOptions): Promise<Answer<'createEphemeralKey'>>
    /**
     * Delete an ephemeral key: `DELETE /ephemeral_keys/{ephemeral_key_id}`. Deletes an ephemeral key before it
     * expires. The key is invalid immediately.
     */
    delete(ephemeral_key_id: string, options?: CallOptions): Promise<Answer<'deleteEphemeralKey'>>
  }
  routing: {
    /**
     * Create a routing algorithm: `POST /routing`. Creates a routing algorithm. It applies to no payment until it is
     * activated, and it cannot be changed: create a new one instead.
     */
    create(body: Body<'createRouting'>, options?: CallOptions): Promise<Answer<'createRouting'>>
    /**
     * List routing algorithms: `GET /routing`. Lists the routing algorithms of the merchant or of one business
     * profile, newest first.
     */
    list(query?: Query<'listRouting'>, options?: CallOptions): List<'listRouting'>
    /**
     * Retrieve active routing algorithms: `GET /routing/active`. Lists the active routing algorithm of each business
     * profile, or of one.
     */
    retrieveActive(query?: Query<'retrieveActiveRouting'>, options?: CallOptions): Promise<Answer<'retrieveActiveRouting'>>
    /**
     * List when routing algorithms were active: `GET /routing/history`. Lists the routing algorithms that have been
     * active in a business profile (default: the merchant’s only one), newest first, with who activated each and
     * why. Between two of them, payments followed the fallback order.
     */
    history(query?: Query<'routingHistory'>, options?: CallOptions): Promise<Answer<'routingHistory'>>
    /**
     * Retrieve a routing algorithm: `GET /routing/{routing_algorithm_id}`. Retrieves a routing algorithm.
     */
    retrieve(routing_algorithm_id: string, options?: CallOptions): Promise<Answer<'retrieveRouting'>>
    /**
     * Activate a routing algorithm: `POST /routing/{routing_algorithm_id}/activate`. Activates a routing algorithm
     * for the payments of its business profile and deactivates the previous one.
     */
    activate(routing_algorithm_id: string, body?: Body<'activateRouting'>, options?: CallOptions): Promise<Answer<'activateRouting'>>
    /**
     * Deactivate routing: `POST /routing/deactivate`. Deactivates routing for the payments of a business profile,
     * which then follow only its fallback order.
     */
    deactivate(body: Body<'deactivateRouting'>, options?: CallOptions): Promise<Answer<'deactivateRouting'>>
    /**
     * Retrieve the fallback order: `GET /routing/default`. Retrieves the order in which a business profile’s
     * connector accounts (X-Profile-Id, or the default profile) are tried when no routing algorithm applies.
     */
    retrieveFallback(options?: CallOptions): Promise<Answer<'retrieveFallback'>>
    /**
     * Set the fallback order: `POST /routing/default`. Sets the fallback order of a business profile’s connector
     * accounts (X-Profile-Id, or the default profile). Each enabled account must be listed exactly once.
     */
    setFallback(body?: Body<'setFallback'>, options?: CallOptions): Promise<Answer<'setFallback'>>
    /**
     * Retrieve the fallback orders: `GET /routing/default/profile`. Lists the fallback order of each business
     * profile.
     */
    retrieveFallbacks(options?: CallOptions): Promise<Answer<'retrieveFallbacks'>>
    /**
     * Set the fallback order of a profile: `POST /routing/default/profile/{profile_id}`. Sets the fallback order of
     * a business profile’s connector accounts. Each enabled account must be listed exactly once.
     */
    setFallbackOfProfile(profile_id: string, body?: Body<'setFallbackOfProfile'>, options?: CallOptions): Promise<Answer<'setFallbackOfProfile'>>
    /**
     * Create a routing algorithm (payouts): `POST /routing/payouts`. Creates a routing algorithm. It applies to no
     * payout until it is activated, and it cannot be changed: create a new one instead.
     */
    createPayout(body: Body<'createPayoutRouting'>, options?: CallOptions): Promise<Answer<'createPayoutRouting'>>
    /**
     * List routing algorithms (payouts): `GET /routing/payouts`. Lists the routing algorithms of the merchant or of
     * one business profile, newest first.
     */
    listPayout(query?: Query<'listPayoutRouting'>, options?: CallOptions): List<'listPayoutRouting'>
    /**
     * Retrieve active routing algorithms (payouts): `GET /routing/payouts/active`. Lists the active routing
     * algorithm of each business profile, or of one.
     */
    retrieveActivePayout(query?: Query<'retrieveActivePayoutRouting'>, options?: CallOptions): Promise<Answer<'retrieveActivePayoutRouting'>>
    /**
     * List when routing algorithms were active (payouts): `GET /routing/payouts/history`. Lists the routing
     * algorithms that have been active in a business profile (default: the merchant’s only one), newest first, with
     * who activated each and why. Between two of them, payments followed the fallback order.
     */
    payoutHistory(query?: Query<'payoutRoutingHistory'>, options?: CallOptions): Promise<Answer<'payoutRoutingHistory'>>
    /**
     * Retrieve a routing algorithm (payouts): `GET /routing/payouts/{routing_algorithm_id}`. Retrieves a routing
     * algorithm.
     */
    retrievePayout(routing_algorithm_id: string, options?: CallOptions): Promise<Answer<'retrievePayoutRouting'>>
    /**
     * Activate a routing algorithm (payouts): `POST /routing/payouts/{routing_algorithm_id}/activate`. Activates a
     * routing algorithm for the payouts of its business profile and deactivates the previous one.
     */
    activatePayout(routing_algorithm_id: string, body?: Body<'activatePayoutRouting'>, options?: CallOptions): Promise<Answer<'activatePayoutRouting'>>
    /**
     * Deactivate routing (payouts): `POST /routing/payouts/deactivate`. Deactivates routing for the payouts of a
     * business profile, which then follow only its fallback order.
     */
    deactivatePayout(body: Body<'deactivatePayoutRouting'>, options?: CallOptions): Promise<Answer<'deactivatePayoutRouting'>>
    /**
     * Retrieve the fallback order (payouts): `GET /routing/payouts/default`. Retrieves the order in which a business
     * profile’s connector accounts (X-Profile-Id, or the default profile) are tried when no routing algorithm
     * applies.
     */
    retrievePayoutFallback(options?: CallOptions): Promise<Answer<'retrievePayoutFallback'>>
    /**
     * Set the fallback order (payouts): `POST /routing/payouts/default`. Sets the fallback order of a business
     * profile’s connector accounts (X-Profile-Id, or the default profile). Each enabled account must be listed
     * exactly once.
     */
    setPayoutFallback(body?: Body<'setPayoutFallback'>, options?: CallOptions): Promise<Answer<'setPayoutFallback'>>
    /**
     * Retrieve the fallback orders (payouts): `GET /routing/payouts/default/profile`. Lists the fallback order of
     * each business profile.
     */
    retrievePayoutFallbacks(options?: CallOptions): Promise<Answer<'retrievePayoutFallbacks'>>
    /**
     * Set the fallback order of a profile (payouts): `POST /routing/payouts/default/profile/{profile_id}`. Sets the
     * fallback order of a business profile’s connector accounts. Each enabled account must be listed exactly once.
     */
    setPayoutFallbackOfProfile(profile_id: string, body?: Body<'setPayoutFallbackOfProfile'>, options?: CallOptions): Promise<Answer<'setPayoutFallbackOfProfile'>>
    /**
     * List routing keys: `GET /routing/keys`. Lists what a rule can compare (`lhs`), and with which values.
     */
    listKeys(options?: CallOptions): Promise<Answer<'listRoutingKeys'>>
    /**
     * Evaluate routing for a payment: `POST /routing/evaluate`. Evaluates routing for an existing or a described
     * payment: which connector accounts would be tried, in which order, and why each of the others is excluded. Uses
     * the active algorithm, another stored one, or an unsaved one. Nothing is changed; a payment processed outside
     * this service (`paymentInfo`) is stored for a week, so that `POST /routing/feedback` can report its result.
     */
    evaluate(body?: Body<'evaluateRouting'>, options?: CallOptions): Promise<Answer<'evaluateRouting'>>
    /**
     * Report the outcome of a routed payment: `POST /routing/feedback`. Reports the result of a payment that was
     * processed outside this service and sent to `POST /routing/evaluate` (`paymentInfo`) within the last week.
     * Success-based routing and elimination count it like a payment processed here, once for each account. Payments
     * processed here are counted from their processor responses.
     */
    feedback(body: Body<'routingFeedback'>, options?: CallOptions): Promise<Answer<'routingFeedback'>>
    /**
     * Evaluate routing rules: `POST /routing/rule/evaluate`. Evaluates a business profile’s active routing algorithm
     * for a set of payment parameters. Parameters that are not sent match no condition. Nothing is changed.
     */
    evaluateRule(body: Body<'evaluateRule'>, options?: CallOptions): Promise<Answer<'evaluateRule'>>
    /**
     * Simulate routing: `POST /routing/simulate`. Simulates an active, stored or unsaved routing algorithm over the
     * payments of a period: how many payments each connector would have received, which would have been routed
     * differently, and how often each connector succeeded for the same network, currency and country. Nothing is
     * changed.
     */
    simulate(body: Body<'simulateRouting'>, options?: CallOptions): Promise<Answer<'simulateRouting'>>
    /**
     * Create success-based routing: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/create`. Success-based
     * routing: payments go first to the connector account with the highest recent success rate for similar payments.
     * Creates the settings and applies `enable`.
     */
    createSuccessBased(merchant_id: string, profile_id: string, body?: Body<'createSuccessBasedRouting'>, options?: CallOptions): Promise<Answer<'createSuccessBasedRouting'>>
    /**
     * Switch success-based routing: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/toggle`. Success-based
     * routing: payments go first to the connector account with the highest recent success rate for similar payments.
     * Turns it on, to measuring only, or off, with its existing settings or the defaults.
     */
    toggleSuccessBased(merchant_id: string, profile_id: string, query: Query<'toggleSuccessBasedRouting'>, options?: CallOptions): Promise<Answer<'toggleSuccessBasedRouting'>>
    /**
     * Change success-based routing: `PATCH
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/config/{algorithm_id}`.
     * Updates the settings in the body. The result is a new algorithm that replaces the previous one.
     */
    updateSuccessBased(merchant_id: string, profile_id: string, algorithm_id: string, body?: Body<'updateSuccessBasedRouting'>, options?: CallOptions): Promise<Answer<'updateSuccessBasedRouting'>>
    /**
     * Create elimination: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/create`. Elimination routing:
     * a connector account that does not respond is tried last until it responds again. Creates the settings and
     * applies `enable`.
     */
    createElimination(merchant_id: string, profile_id: string, body?: Body<'createEliminationRouting'>, options?: CallOptions): Promise<Answer<'createEliminationRouting'>>
    /**
     * Switch elimination: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/toggle`. Elimination routing:
     * a connector account that does not respond is tried last until it responds again. Turns it on, to measuring
     * only, or off, with its existing settings or the defaults.
     */
    toggleElimination(merchant_id: string, profile_id: string, query: Query<'toggleEliminationRouting'>, options?: CallOptions): Promise<Answer<'toggleEliminationRouting'>>
    /**
     * Change elimination: `PATCH
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/config/{algorithm_id}`.
     * Updates the settings in the body. The result is a new algorithm that replaces the previous one.
     */
    updateElimination(merchant_id: string, profile_id: string, algorithm_id: string, body?: Body<'updateEliminationRouting'>, options?: CallOptions): Promise<Answer<'updateEliminationRouting'>>
    /**
     * Switch contract-based routing: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/toggle`. Contract-based
     * routing: connector accounts are promised a number of payments by a date, and payments go first to an account
     * that is behind schedule. Turns it on, to measuring only, or off; contracts in the body are added to the
     * existing ones.
     */
    toggleContractBased(merchant_id: string, profile_id: string, body?: Body<'toggleContractBasedRouting'>, options?: CallOptions): Promise<Answer<'toggleContractBasedRouting'>>
    /**
     * Change contract-based routing: `PATCH
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/config/{algorithm_id}`. Updates
     * the settings in the body. The result is a new algorithm that replaces the previous one.
     */
    updateContractBased(merchant_id: string, profile_id: string, algorithm_id: string, body?: Body<'updateContractBasedRouting'>, options?: CallOptions): Promise<Answer<'updateContractBasedRouting'>>
    /**
     * Set the traffic share of success-based routing: `POST
     * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/set_volume_split`. Sets the percentage of
     * the business profile’s payments that are ranked by success-based and contract-based routing; the rest follow
     * its routing algorithm unchanged.
     */
    setDynamicShare(merchant_id: string, profile_id: string, query: Query<'setDynamicShare'>, options?: CallOptions): Promise<Answer<'setDynamicShare'>>
  }
  blocklist: {
    /**
     * Add to the blocklist: `POST /blocklist`. Adds an entry to the blocklist.
     */
    block(body: Body<'block'>, options?: CallOptions): Promise<Answer<'block'>>
    /**
     * Remove from the blocklist: `DELETE /blocklist`. Removes an entry from the blocklist.
     */
    unblock(body: Body<'unblock'>, options?: CallOptions): Promise<Answer<'unblock'>>
    /**
     * List the blocklist: `GET /blocklist`. Lists blocklist entries of one kind, newest first.
     */
    list(query: Query<'listBlocked'>, options?: CallOptions): List<'listBlocked'>
    /**
     * Retrieve whether the blocklist is on: `GET /blocklist/toggle`. Retrieves whether payments are checked against
     * the blocklist.
     */
    retrieveGuard(options?: CallOptions): Promise<Answer<'retrieveBlocklistGuard'>>
    /**
     * Turn the blocklist on or off: `POST /blocklist/toggle`. Sets whether payments are checked against the
     * blocklist. The check is off by default.
     */
    toggle(query: Query<'toggleBlocklist'>, options?: CallOptions): Promise<Answer<'toggleBlocklist'>>
    /**
     * Import a file into the blocklist: `POST /blocklist/batch`. Accepts a file of blocklist entries, as a whole or
     * not at all, and processes it in the background. Entries that are already blocked count as processed.
     */
    uploadBatch(body: FormData, options?: CallOptions): Promise<Answer<'uploadBlocklist'>>
    /**
     * List imported blocklist files: `GET /blocklist/batch`. Lists the imported files, newest first.
     */
    listBatches(query?: Query<'listBlocklistBatches'>, options?: CallOptions): List<'listBlocklistBatches'>
    /**
     * Retrieve an imported blocklist file: `GET /blocklist/batch/{job_id}`. Retrieves the progress of a file import.
     */
    retrieveBatch(job_id: string, options?: CallOptions): Promise<Answer<'retrieveBlocklistBatch'>>
  }
  configs: {
    /**
     * Set a configuration: `POST /configs`. Creates or updates a configuration.
     */
    create(body: Body<'createConfig'>, options?: CallOptions): Promise<Answer<'createConfig'>>
    /**
     * Retrieve a configuration: `GET /configs/{key}`. Retrieves a configuration.
     */
    retrieve(key: string, options?: CallOptions): Promise<Answer<'retrieveConfig'>>
    /**
     * Change a configuration: `POST /configs/{key}`. Updates an existing configuration.
     */
    update(key: string, body: Body<'updateConfig'>, options?: CallOptions): Promise<Answer<'updateConfig'>>
    /**
     * Change a configuration (PUT): `PUT /configs/{key}`. Updates an existing configuration.
     */
    put(key: string, body: Body<'putConfig'>, options?: CallOptions): Promise<Answer<'putConfig'>>
    /**
     * Delete a configuration: `DELETE /configs/{key}`. Deletes a configuration, which disables its feature, and
     * returns its last value.
     */
    delete(key: string, options?: CallOptions): Promise<Answer<'deleteConfig'>>
  }
  errorRules: {
    /**
     * Create an error rule: `POST /gsm`. Creates a rule.
     */
    create(body: Body<'createGsmRule'>, options?: CallOptions): Promise<Answer<'createGsmRule'>>
    /**
     * Retrieve an error rule: `POST /gsm/get`. Retrieves the rule of a connector, flow, code and message.
     */
    retrieve(body: Body<'retrieveGsmRule'>, options?: CallOptions): Promise<Answer<'retrieveGsmRule'>>
    /**
     * List error rules: `GET /gsm/list`. Lists all rules, or those of one connector, sorted by their keys. The rules
     * are the operator’s and apply to all merchants, so any merchant can read them.
     */
    list(query?: Query<'listGsmRules'>, options?: CallOptions): Promise<Answer<'listGsmRules'>>
    /**
     * Update an error rule: `POST /gsm/update`. Updates a rule; `router_error` is cleared unless it is sent again.
     */
    update(body: Body<'updateGsmRule'>, options?: CallOptions): Promise<Answer<'updateGsmRule'>>
    /**
     * Delete an error rule: `POST /gsm/delete`. Deletes a rule; matching errors then only carry the connector’s own
     * message.
     */
    delete(body: Body<'deleteGsmRule'>, options?: CallOptions): Promise<Answer<'deleteGsmRule'>>
  }
  ledger: {
    /**
     * List balances: `GET /ledger/balances`. Lists the balance of each ledger account, by profile, connector account
     * and currency. Balances include every change that the API has confirmed.
     */
    balances(query?: Query<'listLedgerBalances'>, options?: CallOptions): Promise<Answer<'listLedgerBalances'>>
    /**
     * List entries: `GET /ledger/entries`. Lists ledger entries, newest first: those after starting_after in that
     * order, or just before ending_before (both exclusive); optionally filtered by object, account, currency or time
     * range.
     */
    entries(query?: Query<'listLedgerEntries'>, options?: CallOptions): List<'listLedgerEntries'>
    /**
     * Export entries: `GET /ledger/export`. Exports all ledger entries that match the filters, newest first, as a
     * file: CSV (`format=csv`; one line per debit or credit, amounts in the lowest denomination) or one JSON object
     * per line (`format=jsonl`, complete entries). The file is streamed; if an error occurs, the connection ends
     * before the file is complete.
     */
    export(query?: Query<'exportLedgerEntries'>, options?: CallOptions): Promise<string>
  }
  analytics: {
    /**
     * Count payments over time: `POST /analytics/series`. Counts payments by hour or day: volume, authorization
     * rate, captures, refunds, disputes, and what a second attempt saved; optionally by account, method, currency
     * and other groups. Hours and days without payments are left out.
     */
    series(body: Body<'analyticsSeries'>, options?: CallOptions): Promise<Answer<'analyticsSeries'>>
    /**
     * Break payments down: `POST /analytics/breakdown`. Counts the payments of a time range by account, method,
     * network, currency, country, profile or reason of decline, the largest groups first.
     */
    breakdown(body: Body<'analyticsBreakdown'>, options?: CallOptions): Promise<Answer<'analyticsBreakdown'>>
    /**
     * List what needs attention: `GET /attention`. Lists what waits for a person, the most urgent first: approvals,
     * payments and refunds whose result is unclear, disputes to answer, holds that lapse, accounts that do not
     * answer, webhook endpoints that fail, and API keys that expire. Holds are looked for among the 100 oldest of
     * each connector account.
     */
    listAttention(query?: Query<'listAttention'>, options?: CallOptions): Promise<Answer<'listAttention'>>
  }
  search: {
    /**
     * Search all objects: `GET /search`. Finds objects by an id of any kind, a processor’s reference, a
     * merchant_order_reference_id, an email address, a request id, or the last four digits of a card with a day
     * (`4242 2026-03-01`) or an amount (`4242 12.50`). Matches are exact; matching ids come first, then the newest.
     */
    find(query: Query<'searchObjects'>, options?: CallOptions): Promise<Answer<'searchObjects'>>
  }
  logs: {
    /**
     * List API requests: `GET /logs`. Lists the merchant’s API requests, newest first.
     */
    list(query?: Query<'listRequestLogs'>, options?: CallOptions): Promise<Answer<'listRequestLogs'>>
    /**
     * Retrieve an API request: `GET /logs/{log_id}`. Retrieves an API request with the events that it created; `GET
     * /events/{event_id}` shows the deliveries of each.
     */
    retrieve(log_id: string, options?: CallOptions): Promise<Answer<'retrieveRequestLog'>>
  }
  audit: {
    /**
     * List the audit log: `GET /audit`. Lists administrative changes and reads of this log, newest first. A
     * merchant’s key lists only its own entries.
     */
    list(query?: Query<'listAudit'>, options?: CallOptions): Promise<Answer<'listAudit'>>
  }
  jobs: {
    /**
     * List jobs: `GET /jobs`. Lists the queues and the jobs that were retried and are not complete: quarantined jobs
     * first, each with the reason. Webhook endpoints with failing deliveries are included (`kind: webhook_endpoint`,
     * `job_id` is the `endpoint_id`; `tries` counts the attempts of waiting deliveries; isolated: the endpoint was
     * disabled).
     */
    list(query?: Query<'listJobs'>, options?: CallOptions): Promise<Answer<'listJobs'>>
    /**
     * Retry a job: `POST /jobs/{job_id}/retry`. Releases a quarantined job, for example after the cause is fixed: it
     * is retried immediately and its attempts are counted from zero. Deliveries to a disabled webhook endpoint are
     * resumed.
     */
    retry(job_id: string, options?: CallOptions): Promise<Answer<'retryJob'>>
  }
  users: {
    /**
     * Sign out a command line: `DELETE /user/device`. Revokes the API key that it is sent with, if that was made by
     * a sign-in of the command line. Keys for servers are refused.
     */
    signOutDevice(options?: CallOptions): Promise<Answer<'signOutDevice'>>
    /**
     * List roles: `GET /roles`. Lists the roles with their permissions in this mode.
     */
    listRoles(options?: CallOptions): Promise<Answer<'listRoles'>>
    /**
     * Create a link for a person: `POST /user/link`. Creates a one-time link: for the first owner of a merchant or
     * an organization that has none, or for a person who sets a new password. `npm run user:link` prints it. A
     * person with a session gives their password or a passkey.
     */
    createLink(body?: Body<'createUserLink'>, options?: CallOptions): Promise<Answer<'createUserLink'>>
  }
  approvals: {
    /**
     * List approvals: `GET /approvals`. Lists requests that need the approval of a second person, newest first.
     */
    list(query?: Query<'listApprovals'>, options?: CallOptions): List<'listApprovals'>
    /**
     * Retrieve what needs a second person: `GET /approvals/settings`. Retrieves what of this merchant needs a second
     * person.
     */
    retrieveSettings(options?: CallOptions): Promise<Answer<'retrieveSecondPerson'>>
    /**
     * Set when a second person is needed: `POST /approvals/settings`. Replaces what of this merchant needs a second
     * person. Once amounts are set, a person changes this with a second one too.
     */
    updateSettings(body?: Body<'updateSecondPerson'>, options?: CallOptions): Promise<Answer<'updateSecondPerson'>>
    /**
     * Retrieve an approval: `GET /approvals/{approval_id}`. Retrieves an approval.
     */
    retrieve(approval_id: string, options?: CallOptions): Promise<Answer<'retrieveApproval'>>
  }
  sampleData: {
    /**
     * Create sample data: `POST /sample_data`. Creates sample payments in the background. Test mode only.
     */
    create(body?: Body<'createSampleData'>, options?: CallOptions): Promise<Answer<'createSampleData'>>
    /**
     * Retrieve the progress of sample data: `GET /sample_data/{job_id}`. Retrieves how many of the sample payments
     * have been made.
     */
    retrieve(job_id: string, options?: CallOptions): Promise<Answer<'retrieveSampleData'>>
  }
  deployment: {
    /**
     * Retrieve the deployment: `GET /deployment`. Returns the mode and the version of the deployment, and how people
     * sign in. No API key is required.
     */
    retrieve(options?: CallOptions): Promise<Answer<'retrieveDeployment'>>
    /**
     * Examine the database: `GET /deployment/database`. Checks the version and the settings of PostgreSQL on which
     * the safety of money depends, its connections, the lag of its standbys, and whether its disk and the file store
     * can be written, with the remedy for each.
     */
    examineDatabase(options?: CallOptions): Promise<Answer<'examineDatabase'>>
    /**
     * Check liveness: `GET /health`. Reports whether the process is alive.
     */
    health(options?: CallOptions): Promise<string>
    /**
     * Retrieve the feature matrix: `GET /feature_matrix`. Lists every connector with its supported payment methods
     * and features. No API key is required.
     */
    featureMatrix(options?: CallOptions): Promise<Answer<'featureMatrix'>>
    /**
     * Check readiness: `GET /health/ready`. Reports whether the service can take payments. Returns 503 with the
     * components that are not ready: database (which must write, too), alarms, settings. `files: false` means that
     * payments work but dispute evidence cannot be stored.
     */
    ready(options?: CallOptions): Promise<Answer<'ready'>>
  }
}
