import { matchRoutes, type RouteObject } from 'react-router'

let screens: RouteObject[] = []

/** Registers the screens (app/web/routes.tsx), because screens must not import each other. */
export function knowScreens(routes: RouteObject[]): void {
  screens = routes
}

/** Prefetches a screen's code, so that it opens instantly and offline. Failures are ignored. */
export function fetchScreenAhead(path: string): void {
  for (const { route } of matchRoutes(screens, path) ?? []) {
    if (typeof route.lazy === 'function') void route.lazy().catch(() => {})
  }
}
