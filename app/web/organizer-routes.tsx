import type { RouteObject } from 'react-router'
import {
  consoleRoutes,
  fairnessRoute,
  frame,
  openConsoleRoutes,
} from '../../societies/web/console-routes.tsx'

/** The frame of all society pages: what an account must confirm before important actions. */
async function consoleRoot() {
  const [{ ConsoleRoot }, { useOrganizerGate, useFreshProof }] = await Promise.all([
    frame(),
    import('../../accounts/web/second-factor/fresh-proof.tsx'),
  ])
  return { Component: () => <ConsoleRoot {...{ useOrganizerGate, useFreshProof }} /> }
}

/** Routes for signed-in users. */
export const inside: RouteObject[] = [consoleRoutes(consoleRoot)]

/** Routes that also work signed out: an invitation's link, a fairness report and a season's card. */
export const outside: RouteObject[] = [openConsoleRoutes(consoleRoot), fairnessRoute]
