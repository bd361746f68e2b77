import type { RouteObject } from 'react-router'
import {
  consoleRoutes,
  fairnessRoute,
  frame,
  openConsoleRoutes,
} from '../../societies/web/console-routes.tsx'

/** Around all pages of societies: what an account is asked before it may do what matters there. */
async function consoleRoot() {
  const [{ ConsoleRoot }, { useOrganizerGate, useFreshProof }] = await Promise.all([
    frame(),
    import('../../accounts/web/second-factor/fresh-proof.tsx'),
  ])
  return { Component: () => <ConsoleRoot {...{ useOrganizerGate, useFreshProof }} /> }
}

/** For who is signed in. */
export const inside: RouteObject[] = [consoleRoutes(consoleRoot)]

/** An invitation's link, how a test is run and a season's card, also for who is not. */
export const outside: RouteObject[] = [openConsoleRoutes(consoleRoot), fairnessRoute]
