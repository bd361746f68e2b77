import { Navigate } from 'react-router'
import { Spinner } from './spinner.tsx'

/**
 * Leads elsewhere; the spinner stands while the other screen's code loads, so that no page is blank.
 * @param state what the other screen finds as its location's `state`
 */
export function Redirect({ to, state }: { to: string; state?: string }) {
  return (
    <>
      <Navigate to={to} state={state} replace />
      <Spinner />
    </>
  )
}
