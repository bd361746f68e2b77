// Who may know whom in the house (docs/architecture.md). Held by tools/check-house.ts.

/** The rooms from the ground up: each may import those before it, never those behind it. */
const ROOMS = require('./tools/rooms.json')
/** The rooms of one feature each. */
const FEATURES = ROOMS.filter((room) => room !== 'platform' && room !== 'app')

const folders = (rooms) => `^(${rooms.join('|')})/`
/** Tests and their rigs may import anything; nothing of the product may import them. */
const TESTS = '(\\.test\\.tsx?$|^tests/)'
const BESIDE_THE_HOUSE = '^(tools|tests|bench)/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...ROOMS.slice(0, -1).map((room, index) => ({
      name: `${room}-imports-rooms-below-it`,
      severity: 'error',
      from: { path: `^${room}/`, pathNot: TESTS },
      to: { path: folders(ROOMS.slice(index + 1)) },
    })),
    {
      name: 'another-feature-through-its-root',
      comment:
        'Of another feature: what lies at its root, and on the server its tables and its stores (decision 017). pages/ is what is read: its parts may stand on any screen.',
      severity: 'error',
      from: { path: '^([^/]+)/', pathNot: [TESTS, '^(app|tools|bench)/'] },
      to: {
        path: `^(${FEATURES.filter((room) => room !== 'pages').join('|')})/[^/]+/`,
        pathNot: ['^$1/', '/server/(tables|[^/]+-store)\\.ts$'],
      },
    },
    {
      name: 'web-without-server',
      severity: 'error',
      from: { path: `${folders(ROOMS)}web/`, pathNot: TESTS },
      to: { path: `${folders(ROOMS)}(server|database|command)/` },
    },
    {
      name: 'server-without-web',
      severity: 'error',
      from: { path: `${folders(ROOMS)}(server|database|command)/`, pathNot: TESTS },
      to: { path: `${folders(ROOMS)}web/` },
    },
    {
      name: 'roots-are-pure',
      comment: 'What lies at the root of a room runs on both sides: no I/O, and neither side.',
      severity: 'error',
      from: { path: `${folders(ROOMS)}[^/]+$`, pathNot: TESTS },
      to: { path: `${folders(ROOMS)}[^/]+/` },
    },
    {
      name: 'roots-without-io',
      severity: 'error',
      from: { path: `${folders(ROOMS)}[^/]+$`, pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'shared-shelves-are-pure',
      comment: 'What both sides of a room read and its root has no room for.',
      severity: 'error',
      from: {
        path: '^(societies/(contract|day|questions|statistics)|practice/(contract|schedule|drill|aloud|family|cases|superday))/',
        pathNot: TESTS,
      },
      to: { path: [`${folders(ROOMS)}(server|web|command)/`, '^node:'] },
    },
    {
      name: 'statistics-import-nothing-else',
      comment: 'A formula knows numbers: what they are of, its caller knows.',
      severity: 'error',
      from: { path: '^societies/statistics/', pathNot: TESTS },
      to: { pathNot: '^societies/statistics/' },
    },
    {
      name: 'nothing-imports-tests-or-tools',
      severity: 'error',
      // What builds the pages runs beside the product, as tools do.
      from: { path: folders(ROOMS), pathNot: [TESTS, '^pages/build/'] },
      to: { path: [BESIDE_THE_HOUSE, TESTS] },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports of types count.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
