// Who may know whom in the house (docs/architecture.md). Held by tools/check-house.ts.

/** The rooms from the ground up: each may import those before it, never those behind it. */
const ROOMS = require('./tools/rooms.json')
/** The rooms of one feature each. */
const FEATURES = ROOMS.filter((room) => room !== 'platform' && room !== 'app')

/** The console's features from the ground up, likewise (docs/decisions/055-the-console-by-feature.md). */
const CONSOLE = [
  'kit',
  'access',
  'questions',
  'setup',
  'acts',
  'candidates',
  'live',
  'incidents',
  'results',
  'log',
  'overview',
]

const folders = (rooms) => `^(${rooms.join('|')})/`
/** A room, and a feature of the console: each has a root, and sides. */
const PLACE = `^((${ROOMS.join('|')})|societies/(${CONSOLE.join('|')}))/`
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
    ...CONSOLE.slice(0, -1).map((feature, index) => ({
      name: `${feature}-imports-features-below-it`,
      severity: 'error',
      from: { path: `^societies/${feature}/`, pathNot: TESTS },
      // What puts them together lies beside them: the data dictionary is read by no feature.
      to: {
        path: `^societies/(${[...CONSOLE.slice(index + 1), 'server', 'web', 'command'].join('|')})/`,
      },
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
      from: { path: `${PLACE}web/`, pathNot: TESTS },
      to: { path: `${PLACE}(server|database|command)/` },
    },
    {
      name: 'server-without-web',
      severity: 'error',
      from: { path: `${PLACE}(server|database|command)/`, pathNot: TESTS },
      to: { path: `${PLACE}web/` },
    },
    {
      name: 'roots-are-pure',
      comment: 'What lies at a root runs on both sides: no I/O, and neither side.',
      severity: 'error',
      from: { path: `${PLACE}[^/]+$`, pathNot: TESTS },
      to: { path: `${PLACE}(server|web|database|command)/` },
    },
    {
      name: 'roots-without-io',
      severity: 'error',
      from: { path: `${PLACE}[^/]+$`, pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'shared-shelves-are-pure',
      comment: 'What both sides of a room read and its root has no room for.',
      severity: 'error',
      from: {
        path: '^(societies/kit/statistics|practice/(contract|schedule|drill|aloud|family|cases|superday))/',
        pathNot: TESTS,
      },
      to: { path: [`${PLACE}(server|web|command)/`, '^node:'] },
    },
    {
      name: 'statistics-import-nothing-else',
      comment: 'A formula knows numbers: what they are of, its caller knows.',
      severity: 'error',
      from: { path: '^societies/kit/statistics/', pathNot: TESTS },
      to: { pathNot: '^societies/kit/statistics/' },
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
