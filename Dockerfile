# The service alone: no sandbox, no PostgreSQL, nothing that is only for development. `docker build -t switchyard .`
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim AS dashboard
WORKDIR /app/dashboard
COPY dashboard/package.json dashboard/package-lock.json dashboard/.npmrc ./
RUN npm ci --omit=dev
COPY src/base/countries.ts src/base/csv.ts src/base/currencies.ts ../src/base/
COPY src/events/catalogue.ts ../src/events/
COPY docs/generated/openapi.json ../docs/generated/openapi.json
COPY tsconfig.json ../tsconfig.json
COPY dashboard/index.html dashboard/vite.config.ts dashboard/tsconfig.json ./
COPY dashboard/src ./src
RUN npm run build

FROM node:24-bookworm-slim AS site
WORKDIR /app/site
COPY site/package.json site/package-lock.json site/.npmrc ./
RUN npm ci --omit=dev
COPY docs ../docs
COPY site/tsconfig.json ./
COPY site/.vitepress ./.vitepress
RUN npm run build -- --outDir dist

FROM node:24-bookworm-slim
WORKDIR /app
# What the service is, what it serves at /docs, and the commands of whoever operates it.
COPY package.json LICENSE ./
COPY src ./src
COPY launch ./launch
COPY docs/generated/openapi.json ./docs/generated/openapi.json
COPY --from=packages /app/node_modules ./node_modules
COPY --from=dashboard /app/dashboard/dist ./dashboard/dist
COPY --from=site /app/site/dist ./site/dist
# One user without rights; nothing of the image is written to, so it may be mounted read-only. What merchants hand in as evidence is in a volume of that user's.
RUN mkdir -m 700 /files && chown node:node /files
USER node
ENV HOST=0.0.0.0 PORT=8080 MODE=live FILES_FOLDER=/files MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The flags are explained in launch/memory.ts.
CMD ["node", "--max-old-space-size=384", "--min-semi-space-size=32", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--no-concurrent-recompilation", "src/main.ts"]
