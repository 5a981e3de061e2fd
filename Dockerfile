# The service alone: no sandbox, no PostgreSQL, nothing that is only for development. `docker build -t switchyard .`
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

# Everything that is built, by its own tools: the service has none of them.
FROM node:24-bookworm-slim AS workspace
WORKDIR /app
COPY packages/package.json packages/package-lock.json packages/.npmrc ./packages/
COPY packages/page-scripts/package.json ./packages/page-scripts/
COPY packages/dashboard/package.json ./packages/dashboard/
COPY packages/site/package.json ./packages/site/
RUN cd packages && npm ci --omit=dev --workspace=page-scripts --workspace=dashboard --workspace=site

FROM workspace AS page-scripts
COPY src/pages/browser ./src/pages/browser
COPY packages/page-scripts ./packages/page-scripts
RUN cd packages/page-scripts && npm run build

FROM workspace AS dashboard
COPY src/base/countries.ts src/base/csv.ts src/base/currencies.ts src/base/event-types.ts ./src/base/
COPY docs/generated/openapi.json ./docs/generated/
COPY tsconfig.json ./
COPY packages/dashboard ./packages/dashboard
RUN cd packages/dashboard && npm run build

FROM workspace AS site
COPY docs ./docs
COPY packages/site ./packages/site
RUN cd packages/site && npm run build -- --outDir dist

FROM node:24-bookworm-slim
WORKDIR /app
# What the service is, what it serves at /docs, and the commands of whoever operates it.
COPY package.json LICENSE ./
COPY src ./src
COPY launch ./launch
COPY docs/generated/openapi.json ./docs/generated/openapi.json
COPY --from=packages /app/node_modules ./node_modules
COPY --from=page-scripts /app/packages/page-scripts/dist ./packages/page-scripts/dist
COPY --from=dashboard /app/packages/dashboard/dist ./packages/dashboard/dist
COPY --from=site /app/packages/site/dist ./packages/site/dist
# One user without rights; nothing of the image is written to, so it may be mounted read-only. What merchants hand in as evidence is in a volume of that user's.
RUN mkdir -m 700 /files && chown node:node /files
USER node
ENV HOST=0.0.0.0 PORT=8080 MODE=live FILES_FOLDER=/files MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The flags are explained in launch/memory.ts.
CMD ["node", "--max-old-space-size=384", "--min-semi-space-size=32", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--no-concurrent-recompilation", "src/main.ts"]
