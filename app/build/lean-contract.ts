import type { Plugin } from 'vite'

/** Endpoint fields that only the server reads, because the browser validates neither requests nor responses. */
const OF_THE_SERVER = new Set(['summary', 'params', 'query', 'response'])

/** Functions that define an endpoint. */
const ENDPOINTS = new Set(['endpoint', 'practiceRead'])

/** Removes these fields in the browser, because a slow phone builds each schema before the first screen. */
export function leanContract(): Plugin {
  return {
    name: 'superday-lean-contract',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/contract(\/[^/]+)?\.ts$/ },
      handler(code) {
        let lean = code
        // Goes backwards, so that earlier positions stay valid.
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
