import { Navigate } from 'react-router'
import { Spinner } from './spinner.tsx'

/** Leads elsewhere; the spinner stands while the other screen's code loads, so that no page is blank. */
export function Redirect({ to }: { to: string }) {
  return (
    <>
      <Navigate to={to} replace />
      <Spinner />
    </>
  )
}
