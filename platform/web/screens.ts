import { matchRoutes, type RouteObject } from 'react-router'

let screens: RouteObject[] = []

/** Tells once which screens there are (app/web/routes.tsx), since a screen may not know another's code. */
export function knowScreens(routes: RouteObject[]): void {
  screens = routes
}

/** Fetches the code of a screen, so that it shows without a wait, also without a network. A failure means nothing. */
export function fetchScreenAhead(path: string): void {
  for (const { route } of matchRoutes(screens, path) ?? []) {
    if (typeof route.lazy === 'function') void route.lazy().catch(() => {})
  }
}
