import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** The service sends what is compressed here: it compresses nothing while payments wait. */
const compressed = (): Plugin => {
  let folder = ''
  return {
    name: 'compressed',
    configResolved: config => {
      folder = join(config.root, config.build.outDir, 'assets')
      if (config.build.outDir.startsWith('/')) folder = join(config.build.outDir, 'assets')
    },
    closeBundle() {
      for (const file of readdirSync(folder).filter(name => /\.(js|css|svg)$/.test(name))) {
        const bytes = readFileSync(join(folder, file))
        writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes))
      }
    },
  }
}

type Schema = { $ref?: string } & Record<string, unknown>
type Document = { components: { schemas: Record<string, Schema> & { UpdateProfileRequest: Schema } }; webhooks: object }

/** The shapes that forms are read off, out of the interface's own document: those alone, because the whole is 5 MB. */
const shapes = (): Plugin => {
  const name = 'virtual:shapes'
  const document = join(import.meta.dirname, '../../docs/generated/openapi.json')
  return {
    name: 'shapes',
    resolveId: id => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null
      const { components, webhooks } = JSON.parse(readFileSync(document, 'utf8')) as Document
      const { schemas } = components
      const whole = (schema: unknown): unknown => {
        if (Array.isArray(schema)) return schema.map(whole)
        if (typeof schema !== 'object' || schema === null) return schema
        const { $ref, ...own } = schema as Schema
        const named = $ref === undefined ? {} : schemas[$ref.slice('#/components/schemas/'.length)]
        return Object.fromEntries(Object.entries({ ...named, ...own }).map(([member, value]) => [member, whole(value)]))
      }
      return `export const updateProfile = ${JSON.stringify(whole(schemas.UpdateProfileRequest))}
        export const eventTypes = ${JSON.stringify(Object.keys(webhooks))}`
    },
  }
}

export default defineConfig({
  base: '/dashboard/',
  // The service writes the nonce of each answer here (`src/http/dashboard.ts`).
  html: { cspNonce: 'NONCE-OF-THE-ANSWER' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, cssCodeSplit: false, reportCompressedSize: false },
  plugins: [shapes(), compressed()],
})
