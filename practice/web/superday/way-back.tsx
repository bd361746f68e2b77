import { useSearchParams } from 'react-router'
import { partOfSuperdayUrl, superdayUrl } from '../../../platform/urls.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface EveningOfPart {
  to: string
  /** another address of the same part */
  within(url: string): string
}

/** The evening that the address names, null for a screen opened by itself (product 3.15.2). */
export function useEveningOfPart(): EveningOfPart | null {
  const id = useSearchParams()[0].get('superday')
  if (id === null || !UUID.test(id)) return null
  return { to: superdayUrl(id), within: (url) => partOfSuperdayUrl(url, id) }
}
