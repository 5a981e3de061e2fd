// @ts-check
import { readFileSync } from 'node:fs'
import { browserSettings } from './shop.js'

const read = (/** @type {string} */ name) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * What browsers are served, by its path: type and text. The page may run its own script and Switchyard's, show
 * Switchyard's frames, and nothing else.
 */
export function filesForBrowsers() {
  const { switchyard, publishableKey } = browserSettings()
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${switchyard}`,
    `frame-src ${switchyard}`,
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  const page = read('page.html').replaceAll('{{switchyard}}', switchyard).replaceAll('{{publishableKey}}', publishableKey)
  return {
    '/': { type: 'text/html; charset=utf-8', text: page, policy },
    '/checkout.js': { type: 'text/javascript; charset=utf-8', text: read('checkout.js'), policy },
    '/shop.css': { type: 'text/css; charset=utf-8', text: read('shop.css'), policy },
  }
}
