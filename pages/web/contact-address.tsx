import { queryOptions, useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../platform/web/use-endpoint.ts'
import { getContact } from '../contract.ts'

export const contactQuery = queryOptions({
  ...endpointQuery(getContact, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The operator's address as a mail link. */
export function ContactAddress({ kind }: { kind: 'support' | 'privacy' }) {
  const contact = useQuery(contactQuery)
  const address = kind === 'support' ? contact.data?.supportEmail : contact.data?.privacyEmail
  if (address) {
    return (
      <a href={`mailto:${address}`} className="link [overflow-wrap:anywhere]">
        {address}
      </a>
    )
  }
  if (!contact.isError) return <span className="skeleton">support@superday.example</span>
  return (
    <button type="button" className="link" onClick={() => void contact.refetch()}>
      Show the address: try again
    </button>
  )
}
