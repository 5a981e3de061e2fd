import { createContext, createElement, useContext, useEffect, useMemo, useRef, useState } from 'react'

/** @typedef {import('@switchyard/js').Switchyard} Switchyard */
/** @typedef {import('@switchyard/js').SwitchyardElements} SwitchyardElements */

/** @type {import('react').Context<{ switchyard: Switchyard | null, elements: SwitchyardElements | null } | null>} */
const Given = createContext(/** @type {any} */ (null))

/** @type {typeof import('./index.d.ts').SwitchyardProvider} */
export const SwitchyardProvider = ({ switchyard: given, options, children }) => {
  const [switchyard, setSwitchyard] = useState(/** @type {Switchyard | null} */ (null))
  useEffect(() => {
    let isCurrent = true
    Promise.resolve(given).then(loaded => isCurrent && setSwitchyard(loaded))
    return () => {
      isCurrent = false
    }
  }, [given])
  const { clientSecret, customerId, ephemeralKey } = options ?? {}
  const latest = useRef(options)
  latest.current = options
  const keyOfCustomer = clientSecret === undefined ? ephemeralKey : undefined
  // Only another payment, customer or payout makes other elements: what was typed outlives a new look.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other options are those of this one
  const elements = useMemo(() => {
    if (!switchyard || !latest.current) return null
    const { fetchSetupClientSecret } = latest.current
    // A function is another at each rendering; the one of the latest is called.
    const fetchLatest = () => (latest.current?.fetchSetupClientSecret ?? /** @type {any} */ (fetchSetupClientSecret))()
    return switchyard.elements({ ...latest.current, ...(fetchSetupClientSecret && { fetchSetupClientSecret: fetchLatest }) })
  }, [switchyard, clientSecret, customerId, keyOfCustomer, options === null])
  const appearance = options?.appearance
  const looks = JSON.stringify(appearance)
  const before = useRef({ elements, looks })
  useEffect(() => {
    const isNew = before.current.elements !== elements
    if (!isNew && before.current.looks !== looks && appearance) elements?.update({ appearance })
    before.current = { elements, looks }
  })
  const value = useMemo(() => ({ switchyard, elements }), [switchyard, elements])
  return createElement(Given.Provider, { value }, children)
}

function useGiven() {
  const given = useContext(Given)
  if (given === null) throw new Error('Switchyard: this must stand within a SwitchyardProvider')
  return given
}

export const useSwitchyard = () => useGiven().switchyard
export const useElements = () => useGiven().elements

/** The events of an element, by the property that hears them. */
const hearers = /** @type {const} */ ({
  onReady: 'ready',
  onChange: 'change',
  onFocus: 'focus',
  onBlur: 'blur',
  onEscape: 'escape',
  onError: 'error',
  onPayment: 'payment',
  onPaymentMethod: 'paymentMethod',
  onPayout: 'payout',
})

/** @param {import('@switchyard/js').ElementType} type @param {string} displayName */
function component(type, displayName) {
  /** @type {import('react').FunctionComponent<import('./index.d.ts').ElementProps>} */
  const Element = props => {
    const elements = useElements()
    const place = useRef(/** @type {HTMLDivElement | null} */ (null))
    const latest = useRef(props)
    latest.current = props
    useEffect(() => {
      if (elements === null || place.current === null) return
      const element = elements.getElement(type) ?? elements.create(type)
      const heard = Object.entries(hearers).map(([property, name]) => {
        const hears = (/** @type {any} */ event) => /** @type {any} */ (latest.current)[property]?.(event, element)
        element.on(name, hears)
        return () => element.off(name, hears)
      })
      element.mount(place.current)
      return () => {
        for (const stop of heard) stop()
        element.unmount()
      }
    }, [elements])
    return createElement('div', { ref: place, id: props.id, className: props.className })
  }
  Element.displayName = displayName
  return Element
}

export const PaymentElement = component('payment', 'PaymentElement')
export const CardElement = component('card', 'CardElement')
export const ExpressElement = component('express', 'ExpressElement')
export const PaymentMethodsElement = component('paymentMethods', 'PaymentMethodsElement')
export const PayoutElement = component('payout', 'PayoutElement')
