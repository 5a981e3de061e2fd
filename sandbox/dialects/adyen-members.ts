// The members that a payment request may have (Checkout API, PaymentRequest), at any depth. Adyen refuses all others.
// Members that Adyen knows but this sandbox would not act on are absent here, so that none is silently accepted.

import type { Body } from '../requests.ts'
import { methodNamed } from './adyen-methods.ts'
import { only } from './adyen-read.ts'

const software = ['name', 'version']
const address = ['city', 'country', 'houseNumberOrName', 'postalCode', 'street', 'stateOrProvince']

const structures: Readonly<Record<string, readonly [name: string, members: readonly string[]]>> = {
  '': [
    'PaymentRequest',
    [
      ...['amount', 'merchantAccount', 'reference', 'returnUrl', 'paymentMethod', 'captureDelayHours', 'additionalData'],
      ...['authenticationData', 'threeDS2RequestData', 'mpiData', 'browserInfo', 'channel', 'origin', 'shopperIP', 'shopperEmail'],
      ...['shopperReference', 'shopperInteraction', 'shopperStatement', 'shopperName', 'shopperLocale', 'countryCode', 'telephoneNumber'],
      ...['billingAddress', 'deliveryAddress', 'lineItems', 'storePaymentMethod', 'recurringProcessingModel', 'merchantOrderReference'],
      ...['metadata', 'applicationInfo', 'splits', 'store', 'installments', 'socialSecurityNumber'],
    ],
  ],
  amount: ['Amount', ['value', 'currency']],
  authenticationData: ['AuthenticationData', ['attemptAuthentication', 'threeDSRequestData']],
  'authenticationData.threeDSRequestData': ['ThreeDSRequestData', ['challengeWindowSize', 'dataOnly', 'nativeThreeDS', 'threeDSVersion']],
  threeDS2RequestData: ['ThreeDS2RequestFields', ['notificationURL', 'threeDSRequestorChallengeInd']],
  mpiData: [
    'ThreeDSecureData',
    ['cavv', 'eci', 'dsTransID', 'threeDSVersion', 'directoryResponse', 'authenticationResponse', 'tokenAuthenticationVerificationValue'],
  ],
  browserInfo: [
    'BrowserInfo',
    [
      ...['acceptHeader', 'colorDepth', 'javaEnabled', 'javaScriptEnabled', 'language', 'screenHeight', 'screenWidth'],
      ...['timeZoneOffset', 'userAgent'],
    ],
  ],
  shopperName: ['ShopperName', ['firstName', 'lastName']],
  billingAddress: ['BillingAddress', address],
  deliveryAddress: ['DeliveryAddress', [...address, 'firstName', 'lastName']],
  lineItems: [
    'LineItem',
    [
      ...['amountExcludingTax', 'amountIncludingTax', 'brand', 'color', 'description', 'id', 'imageUrl', 'itemCategory', 'manufacturer'],
      ...['marketplaceSellerId', 'productUrl', 'quantity', 'receiverEmail', 'size', 'sku', 'taxAmount', 'taxPercentage', 'upc'],
    ],
  ],
  applicationInfo: ['ApplicationInfo', ['externalPlatform', 'merchantApplication', 'adyenLibrary', 'adyenPaymentSource']],
  'applicationInfo.externalPlatform': ['ExternalPlatform', [...software, 'integrator']],
  'applicationInfo.merchantApplication': ['CommonField', software],
  splits: ['Split', ['type', 'amount', 'account', 'reference', 'description']],
  'splits.amount': ['SplitAmount', ['value', 'currency']],
  installments: ['Installments', ['value', 'plan']],
}

const additional = [
  ...['scaExemption', 'manualCapture', 'allowPartialAuth', 'authorisationType', 'RequestedTestAcquirerResponseCode'],
  ...['networkTxReference', 'paymentdatasource.type', 'paymentdatasource.tokenized'],
]

const cardMembers = ['type', 'number', 'expiryMonth', 'expiryYear', 'cvc', 'holderName', 'brand', 'storedPaymentMethodId']

export function checkMembers(body: Body): void {
  for (const paid of at(body, 'paymentMethod')) if (!methodNamed(paid.type)) only(paid, cardMembers, 'CardDetails')
  for (const [path, [name, members]] of Object.entries(structures)) for (const one of at(body, path)) only(one, members, name)
  const more = body.additionalData
  if (isObject(more)) {
    const others = Object.entries(more).filter(([name]) => !name.startsWith('enhancedSchemeData.'))
    only(Object.fromEntries(others), additional, 'additionalData')
  }
}

/**
 * Returns the objects at a path; for a list, each object in the list. Values of other types are refused where they are
 * read.
 */
function at(body: Body, path: string): Body[] {
  let here: unknown[] = [body]
  if (path !== '') for (const name of path.split('.')) here = here.filter(isObject).flatMap(one => one[name] ?? [])
  return here.filter(isObject)
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
