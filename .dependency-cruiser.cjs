/** The layers of docs/architecture.md: who may import whom. Held by tools/check-layers.ts. */
module.exports = {
  forbidden: [
    {
      name: 'shared-is-pure',
      comment: 'shared/ holds contracts and rules: no I/O, and nothing of the other layers.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(server|db|web|tools|tests|bench)/' },
    },
    {
      name: 'shared-without-io',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-imports-shared-only',
      comment:
        'And content/pages/, which is data: tools/vite-pages.ts lets through what fits shared/pages.ts.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|db|tools|tests|bench)/' },
    },
    {
      name: 'db-below-server',
      severity: 'error',
      from: { path: '^db/' },
      to: { path: '^(server|web|tools|tests|bench)/' },
    },
    {
      name: 'server-without-web',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(web|tools|tests|bench)/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
