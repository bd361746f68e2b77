import { useState } from 'react'
import { fairnessUrl } from '../../../platform/urls.ts'

/** Puts a card's public address into the clipboard. */
export function CopyCardLink({ card, season }: { card: string; season: string }) {
  const [said, setSaid] = useState('')
  const link = `${location.origin}${fairnessUrl(card)}`
  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      setSaid('Copied')
    } catch {
      // No permission, or an address without https: it can be copied by hand.
      setSaid(link)
    }
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <button
        type="button"
        className="btn btn-ghost btn-small max-md:min-h-11"
        onClick={() => void copy()}
      >
        Copy the link
        <span className="sr-only"> of the fairness card of {season}</span>
      </button>
      <span role="status" className="hint select-all break-all">
        {said}
      </span>
    </span>
  )
}
