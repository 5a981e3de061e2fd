// @ts-check
/*! Switchyard for browsers, 1.0.0 */
;(() => {
  const VERSION = '1.0.0'
  /** Of messages between this script and its frames. */
  const PROTOCOL = 1
  /** A frame that says nothing for so long was not let into the page. */
  const LONGEST_MS = 15_000
  /** So often a payment may have something more for its customer to do. */
  const MOST_ACTIONS = 5

  /** Elements: the page of their frame, what it is called, and how high it is until it has said so. */
  const kinds = {
    payment: { path: 'frame', title: 'Secure payment form', height: '300px' },
    card: { path: 'frame', title: 'Secure payment form', height: '300px' },
    express: { path: 'frame', title: 'Secure payment form', height: '0' },
    paymentMethods: { path: 'methods', title: 'Saved payment methods', height: '220px' },
    payout: { path: 'payout', title: 'Secure payout form', height: '360px' },
  }

  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  const from = script?.src ? new URL(script.src).href.replace(/\/sdk\/[^/]*$/, '') : null

  /**
   * A fault of the shop's page: its customer is told that the form is not there, its developer why.
   * @param {import('../../../packages/js/switchyard.d.ts').SwitchyardError['type']} type @param {string} code @param {string} developer_message
   */
  const misused = (type, code, developer_message) => ({
    error: { type, code, message: 'The payment form could not be loaded. Please reload the page.', developer_message },
  })
  /** What a developer has to mend. @param {string} message */
  const mistaken = message => new TypeError(`Switchyard: ${message}`)

  const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')

  /** @param {string} home @param {string} path @param {{ locale?: string, appearance?: import('../../../packages/js/switchyard.d.ts').Appearance }} looks */
  function addressOf(home, path, { locale, appearance }) {
    const query = new URLSearchParams({ locale: locale ?? navigator.language, theme: themeOf(appearance) })
    return `${home}/sdk/${path}?${query}`
  }

  /** @param {any} appearance */
  const themeOf = appearance => (['dark', 'auto'].includes(appearance?.theme) ? appearance.theme : 'light')
  /** A frame's colour scheme must be that of the page around it, or the browser paints it a background. @param {string} theme */
  const schemeOf = theme => (theme === 'auto' ? 'light dark' : theme)

  /** @param {HTMLElement} element @param {Record<string, string>} style */
  const styled = (element, style) => void Object.assign(element.style, style)

  /**
   * A frame of the service's: every message is held to its window, its origin and its channel.
   * @param {HTMLIFrameElement} frame @param {string} origin @param {object} init
   * @param {Record<string, (said: any) => void>} hears @param {(fault: object) => void} lost
   */
  function connect(frame, origin, init, hears, lost) {
    const channel = random()
    let isThere = false
    const post = (/** @type {string} */ type, said = {}) =>
      frame.contentWindow?.postMessage({ ...said, switchyard: PROTOCOL, channel, type }, origin)
    /** What is said before the frame is there. @type {[string, object][]} */
    const waiting = []
    /** @param {MessageEvent} event */
    function listen({ source, origin: of, data }) {
      if (source !== frame.contentWindow || of !== origin || data?.switchyard !== PROTOCOL) return
      if (data.type === 'hello') {
        // A frame that was loaded anew begins anew.
        isThere = true
        clearTimeout(patience)
        post('init', init)
        for (const [type, said] of waiting.splice(0)) post(type, said)
        return
      }
      if (data.channel === channel) hears[data.type]?.(data)
    }
    const refused = () => {
      clearTimeout(patience)
      lost(
        misused(
          'connection_error',
          'frame_not_loaded',
          `The payment form could not be loaded. If the page has a content security policy, frame-src must allow ${origin}`,
        ),
      )
    }
    const patience = setTimeout(refused, LONGEST_MS)
    /** The page's own policy may not let the frame in. @param {SecurityPolicyViolationEvent} event */
    function violated({ effectiveDirective, blockedURI }) {
      if (!isThere && /^(?:frame|child|default)-src$/.test(effectiveDirective) && blockedURI.startsWith(origin)) refused()
    }
    document.addEventListener('securitypolicyviolation', violated)
    addEventListener('message', listen)
    return {
      post: (/** @type {string} */ type, said = {}) => void (isThere ? post(type, said) : waiting.push([type, said])),
      close() {
        clearTimeout(patience)
        removeEventListener('message', listen)
        document.removeEventListener('securitypolicyviolation', violated)
        frame.remove()
      },
    }
  }

  /** @param {string} address @param {string} title @param {string} theme */
  function frameAt(address, title, theme) {
    const frame = document.createElement('iframe')
    frame.src = address
    frame.title = title
    frame.allow = 'payment *; clipboard-write'
    styled(frame, {
      border: '0',
      width: '100%',
      display: 'block',
      background: 'transparent',
      colorScheme: schemeOf(theme),
    })
    return frame
  }

  /** Leaves the page. @param {string} address @returns {Promise<never>} it is over with the page */
  function leave(address) {
    if (/^https?:/.test(address)) location.assign(address)
    return new Promise(() => {})
  }

  /** @type {import('../../../packages/js/switchyard.d.ts').SwitchyardConstructor} */
  const Switchyard = Object.assign(
    (
      /** @type {string} */ publishableKey,
      /** @type {import('../../../packages/js/switchyard.d.ts').SwitchyardOptions} */ options = {},
    ) => {
      if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_'))
        throw mistaken('the first argument must be a publishable key (pk_snd_… or pk_prd_…); a secret key never belongs into a page')
      const base = options.baseUrl ?? from
      if (!base || !/^https?:\/\//.test(base)) throw mistaken('baseUrl must be the address of the service: https://pay.example')
      let home = base
      while (home.endsWith('/')) home = home.slice(0, -1)
      return client(publishableKey, home)
    },
    { version: VERSION },
  )

  /** @param {string} publishable_key @param {string} home @returns {import('../../../packages/js/switchyard.d.ts').Switchyard} */
  function client(publishable_key, home) {
    const { origin } = new URL(home)

    /** @param {unknown} secret */
    const secretOf = secret => {
      const at = typeof secret === 'string' ? secret.lastIndexOf('_secret_') : -1
      if (typeof secret !== 'string' || at < 1 || !/^_secret_\w+$/.test(secret.slice(at)))
        throw mistaken('clientSecret must be the client_secret of a payment or a payout')
      return secret
    }

    /** Whose payment methods are looked after. @param {unknown} customerId @param {unknown} ephemeralKey */
    function checkCustomer(customerId, ephemeralKey) {
      if (typeof customerId !== 'string' || customerId === '')
        throw mistaken('customerId must be the customer_id that the ephemeral key was made for')
      if (typeof ephemeralKey !== 'string' || !ephemeralKey.startsWith('epk_'))
        throw mistaken('ephemeralKey must be the secret of an ephemeral key (epk_…); a secret key never belongs into a page')
    }

    /**
     * What the customer must do next, in a frame over the page. @param {string} client_secret @param {any} looks
     * @returns {Promise<{ payment?: any, error?: any, closed?: true }>}
     */
    function act(client_secret, looks) {
      const theme = themeOf(looks.appearance)
      const before = document.activeElement
      const dialog = document.createElement('dialog')
      const frame = frameAt(addressOf(home, 'action', looks), 'Payment confirmation', theme)
      styled(frame, { width: '100%', height: '100%' })
      styled(dialog, {
        position: 'fixed',
        inset: '0',
        width: '100vw',
        height: '100dvh',
        maxWidth: 'none',
        maxHeight: 'none',
        margin: '0',
        padding: '0',
        border: '0',
        background: 'transparent',
        overflow: 'hidden',
      })
      return new Promise(done => {
        /** @param {any} said */
        function end(said) {
          connection.close()
          dialog.close()
          dialog.remove()
          if (before instanceof HTMLElement) before.focus({ preventScroll: true })
          done(said)
        }
        dialog.addEventListener('cancel', event => {
          event.preventDefault()
          end({ closed: true })
        })
        const connection = connect(
          frame,
          origin,
          { publishable_key, client_secret, appearance: looks.appearance, acts: true },
          { done: end, redirect: ({ url }) => leave(url) },
          end,
        )
        dialog.append(frame)
        document.body.append(dialog)
        dialog.showModal()
        frame.focus()
      })
    }

    /** By a hidden frame: the page itself needs no leave to call the service. @param {string} client_secret */
    function retrieve(client_secret) {
      const frame = frameAt(addressOf(home, 'action', {}), 'Payment', 'light')
      frame.hidden = true
      frame.tabIndex = -1
      frame.setAttribute('aria-hidden', 'true')
      styled(frame, { display: 'none' })
      return /** @type {Promise<import('../../../packages/js/switchyard.d.ts').ConfirmResult>} */ (
        new Promise(done => {
          /** @param {any} said */
          const end = ({ payment, error }) => {
            connection.close()
            done(error ? { error } : { payment })
          }
          const connection = connect(frame, origin, { publishable_key, client_secret }, { result: end }, end)
          connection.post('retrieve', { id: random() })
          document.body.append(frame)
        })
      )
    }

    /** @type {WeakMap<object, ReturnType<typeof group>>} */
    const groups = new WeakMap()

    /** @param {import('../../../packages/js/switchyard.d.ts').ElementsOptions} options */
    function group({ clientSecret, customerId, ephemeralKey, fetchSetupClientSecret, appearance, locale }) {
      const isOfCustomer = clientSecret === undefined && customerId !== undefined
      if (isOfCustomer) checkCustomer(customerId, ephemeralKey)
      const client_secret = isOfCustomer ? '' : secretOf(clientSecret)
      const looks = { appearance, locale }
      /** @type {Map<string, ReturnType<typeof made>>} */
      const all = new Map()

      /** @param {import('../../../packages/js/switchyard.d.ts').ElementType} type */
      function made(type) {
        /** @type {ReturnType<typeof connect> | null} */
        let connection = null
        /** @type {HTMLIFrameElement | null} */
        let frame = null
        /** @type {Map<string, Set<(event: any) => void>>} */
        const hearers = new Map()
        /** @type {Map<string, (result: any) => void>} */
        const asked = new Map()
        /** @type {string[]} */
        let wallets = []
        /** Of the payment by which a card is being added. */
        let setupSecret = ''
        const tell = (/** @type {string} */ name, event = {}) => {
          for (const hears of hearers.get(name) ?? []) hears(event)
        }
        /** @param {string} kind @param {object} said @returns {Promise<any>} */
        const ask = (kind, said) =>
          new Promise(done => {
            const id = random()
            asked.set(id, done)
            connection?.post(kind, { ...said, id })
          })
        /** @param {any} said what the frame says of a confirmation @returns {Promise<any>} */
        async function followed(said) {
          for (let round = 0; said.action && round < MOST_ACTIONS; round++) {
            const { closed } = await act(client_secret, looks)
            said = await ask('settled', { closed: closed === true || round === MOST_ACTIONS - 1 })
          }
          return said.redirect ? leave(said.redirect) : said
        }
        /** @type {Record<string, (said: any) => void>} */
        const hears = {
          ready: () => tell('ready', { wallets }),
          offers: said => {
            wallets = said.wallets
          },
          resize: ({ height }) => frame && styled(frame, { height: `${Math.min(Math.max(Number(height) || 0, 0), 6000)}px` }),
          drawn: ({ theme }) => frame && styled(frame, { colorScheme: schemeOf(theme) }),
          change: ({ complete, value }) => tell('change', { complete, value }),
          focus: () => tell('focus'),
          blur: () => tell('blur'),
          escape: () => tell('escape'),
          error: ({ error }) => tell('error', { error }),
          payment: ({ payment }) => tell('payment', { payment }),
          payout: ({ payout }) => tell('payout', { payout }),
          saved: ({ action, payment_method_id }) => tell('paymentMethod', { action, payment_method_id }),
          setup: async () => {
            const caller = connection
            try {
              setupSecret = secretOf(await fetchSetupClientSecret?.())
              caller?.post('setup', { client_secret: setupSecret })
            } catch (error) {
              console.error(error)
              caller?.post('setup')
            }
          },
          act: async () => {
            const caller = connection
            const { closed } = await act(setupSecret, looks)
            caller?.post('act', { closed: closed === true })
          },
          submit: () => frame?.closest('form')?.requestSubmit(),
          result: ({ id, ...said }) => {
            asked.get(id)?.(said)
            asked.delete(id)
          },
          paid: async said => tell('payment', plain(await followed(said))),
          resume: async () => {
            await act(client_secret, looks)
            tell('payment', plain(await followed(await ask('settled', { closed: true }))))
          },
        }
        /** @type {import('../../../packages/js/switchyard.d.ts').SwitchyardElement} */
        const element = {
          type,
          mount(target) {
            const place = typeof target === 'string' ? document.querySelector(target) : target
            if (!(place instanceof HTMLElement)) throw mistaken(`there is no element to mount into at ${target}`)
            element.unmount()
            const theme = themeOf(looks.appearance)
            const { path, title, height } = kinds[type]
            frame = frameAt(addressOf(home, path, looks), title, theme)
            // So high it is until it has said how high: what stands below moves as little as may be.
            styled(frame, { height })
            const init = {
              publishable_key,
              client_secret,
              customer_id: customerId,
              ephemeral_key: ephemeralKey,
              adds: fetchSetupClientSecret !== undefined,
              element: type,
              appearance: looks.appearance,
            }
            connection = connect(frame, origin, init, hears, said => tell('error', said))
            // A ring around what has the focus has its room within the frame.
            styled(frame, { width: 'calc(100% + 8px)', margin: '-4px' })
            place.append(frame)
            return element
          },
          unmount() {
            connection?.close()
            connection = frame = null
            for (const [, done] of asked)
              done(misused('integration_error', 'unmounted', 'The element was unmounted before it had an answer'))
            asked.clear()
          },
          update(more) {
            if (more.appearance === undefined) return
            looks.appearance = more.appearance
            connection?.post('update', { appearance: looks.appearance })
          },
          focus: () => {
            frame?.focus()
            connection?.post('focus')
          },
          blur: () => connection?.post('blur'),
          on(name, hear) {
            hearers.set(name, (hearers.get(name) ?? new Set()).add(hear))
            return element
          },
          off(name, hear) {
            hearers.get(name)?.delete(hear)
            return element
          },
        }
        return {
          element,
          isMounted: () => connection !== null,
          confirm: (/** @type {object} */ said) => ask('confirm', said).then(followed),
        }
      }

      /** @type {Promise<import('../../../packages/js/switchyard.d.ts').ConfirmResult> | null} */
      let underWay = null
      /** @param {import('../../../packages/js/switchyard.d.ts').ConfirmOptions} options @returns {Promise<import('../../../packages/js/switchyard.d.ts').ConfirmResult>} */
      async function confirmed({ returnUrl, redirect = 'always' }) {
        const form = all.get('payment') ?? all.get('card')
        if (!form?.isMounted()) return misused('integration_error', 'not_mounted', 'Mount a payment or card element before confirming')
        if (redirect === 'always' && returnUrl === undefined)
          return misused('integration_error', 'return_url_missing', "returnUrl is required, unless redirect is 'if_required'")
        if (returnUrl !== undefined && !/^https?:\/\//.test(returnUrl))
          return misused('integration_error', 'return_url_invalid', 'returnUrl must be a whole address: https://shop.example/thanks')
        const result = plain(await form.confirm({ return_url: returnUrl }))
        if (result.error || redirect === 'if_required') return result
        const back = new URL(/** @type {string} */ (returnUrl))
        back.searchParams.set('payment_id', result.payment.payment_id)
        back.searchParams.set('payment_intent_client_secret', client_secret)
        back.searchParams.set('status', result.payment.status)
        return leave(back.href)
      }

      /** @type {import('../../../packages/js/switchyard.d.ts').SwitchyardElements} */
      const elements = {
        create(type) {
          if (!Object.hasOwn(kinds, type)) throw mistaken(`there is no element ${type}: ${Object.keys(kinds).join(', ')}`)
          if (type === 'paymentMethods') checkCustomer(customerId, ephemeralKey)
          else secretOf(clientSecret)
          const before = all.get(type)
          if (before) throw mistaken(`these elements have a ${type} element already`)
          const one = made(type)
          all.set(type, one)
          return one.element
        },
        getElement: type => all.get(type)?.element ?? null,
        update(more) {
          for (const { element } of all.values()) element.update(more)
        },
      }
      return {
        elements,
        confirm(/** @type {import('../../../packages/js/switchyard.d.ts').ConfirmOptions} */ options) {
          underWay ??= confirmed(options).finally(() => {
            underWay = null
          })
          return underWay
        },
      }
    }

    return {
      elements(options) {
        const one = group(options ?? {})
        groups.set(one.elements, one)
        return one.elements
      },
      async confirmPayment(options) {
        const one = options?.elements && groups.get(options.elements)
        if (!one) throw mistaken('confirmPayment needs elements, as this Switchyard has made them')
        return one.confirm(options)
      },
      retrievePayment: async clientSecret => retrieve(secretOf(clientSecret)),
      async handleNextAction({ clientSecret, ...looks }) {
        const client_secret = secretOf(clientSecret)
        const { payment, error, closed } = await act(client_secret, looks)
        if (error) return { error }
        if (payment) return { payment }
        const now = await retrieve(client_secret)
        if (closed && now.payment?.status === 'requires_customer_action')
          return {
            error: { type: 'action_error', code: 'action_closed', message: 'The payment waits for its customer', payment: now.payment },
          }
        return now
      },
    }
  }

  /** @param {any} said @returns {import('../../../packages/js/switchyard.d.ts').ConfirmResult} */
  const plain = ({ payment, error }) => (error ? { error } : { payment })

  Object.defineProperty(window, 'Switchyard', { value: Switchyard, configurable: true, enumerable: true, writable: false })
})()
