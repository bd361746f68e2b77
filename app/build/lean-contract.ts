import type { Plugin } from 'vite'

/** What only the server reads of an endpoint: the browser checks neither what it asks nor what it is answered. */
const OF_THE_SERVER = new Set(['summary', 'params', 'query', 'response'])

/** What defines an endpoint. */
const ENDPOINTS = new Set(['endpoint', 'practiceRead'])

/** Leaves it out of the browser's endpoints: a slow phone makes each shape before it shows its first screen. */
export function leanContract(): Plugin {
  return {
    name: 'superday-lean-contract',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/contract(\/[^/]+)?\.ts$/ },
      handler(code) {
        let lean = code
        // From the end, so that the places before it stay right.
        for (const statement of this.parse(code).body.toReversed()) {
          if (statement.type !== 'ExportNamedDeclaration') continue
          if (statement.declaration?.type !== 'VariableDeclaration') continue
          const { init } = statement.declaration.declarations[0] ?? {}
          if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') continue
          const [definition] = init.arguments
          if (!ENDPOINTS.has(init.callee.name) || definition?.type !== 'ObjectExpression') continue
          const kept = definition.properties.filter(
            (part) =>
              part.type === 'SpreadElement' ||
              part.key.type !== 'Identifier' ||
              !OF_THE_SERVER.has(part.key.name),
          )
          const parts = kept.map(({ start, end }) => code.slice(start, end)).join(',')
          lean = `${lean.slice(0, definition.start)}{${parts}}${lean.slice(definition.end)}`
        }
        return { code: lean, map: null }
      },
    },
  }
}
