import type { Plugin } from 'vite'

/** Preloads the dashboard's parts in index.html. The server removes these links from other pages. */
export function preloadDashboard(): Plugin {
  return {
    name: 'superday-preload-dashboard',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle, path: page }) => {
        if (!bundle || page !== '/index.html') return []
        const parts = Object.values(bundle).flatMap((part) =>
          part.type === 'chunk' && part.facadeModuleId?.endsWith('/app/web/dashboard.tsx')
            ? [part.fileName, ...part.imports]
            : [],
        )
        return parts
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'modulepreload',
              crossorigin: '',
              href: `/${file}`,
              'data-dashboard': '',
            },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
