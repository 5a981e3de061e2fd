// Runs in the reader's browser: draws the document of this service, and calls only this service.

// Tables keep their words whole, and scroll in their own frame where a screen is narrow.
const customCss = `
  .scalar-app .markdown table { display: block; overflow-x: auto; }
  .scalar-app .markdown th, .scalar-app .markdown td { word-break: normal; padding: 8px 10px; }
  .scalar-app .markdown td:first-child code { white-space: nowrap; }
  .scalar-app .markdown em { color: var(--scalar-color-2); }
  a[href^="https://www.scalar.com"] { display: none; }
`

// The server's words stand until the reference has its own.
const app = document.getElementById('app')
new MutationObserver((_, watch) => {
  if (!app.querySelector('h1, h2')) return
  watch.disconnect()
  document.getElementById('words')?.remove()
}).observe(app, { childList: true, subtree: true })

Scalar.createApiReference('#app', {
  url: '/openapi.json',
  baseServerURL: location.origin,
  customCss,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: 'secretKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: true,
  documentDownloadType: 'json',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  generateOperationSlug: operation => operation.operationId,
  hideClientButton: true,
  mcp: { disabled: true },
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  theme: 'none',
  withDefaultFonts: false,
})
