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

export default defineConfig({
  base: '/dashboard/',
  // The service writes the nonce of each answer here (`src/http/dashboard.ts`).
  html: { cspNonce: 'NONCE-OF-THE-ANSWER' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, cssCodeSplit: false, reportCompressedSize: false },
  plugins: [compressed()],
})
