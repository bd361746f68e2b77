import { useState } from 'react'

/** Copies an address; where the browser refuses, it shows it to be copied by hand. */
export function CopyLink({ link }: { link: string }) {
  const [said, setSaid] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      setSaid('Copied')
    } catch {
      setSaid(link)
    }
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <button type="button" className="btn btn-ghost" onClick={() => void copy()}>
        Copy the link
      </button>
      <span role="status" className="hint select-all break-all">
        {said}
      </span>
    </span>
  )
}
