import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

/** Milliseconds for which it says that it did. */
const SAID_MS = 3_000

/** Copies an address; where the browser refuses, it shows it to be copied by hand. */
export function CopyLink(props: {
  link: string
  label: string
  /** for who hears the label without its row */
  of?: string
  isSmall?: boolean
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), SAID_MS)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(props.link)
      setState('copied')
    } catch {
      setState('refused')
    }
  }

  if (state === 'refused') {
    return (
      <input
        readOnly
        aria-label={`${props.label}${props.of ? ` of ${props.of}` : ''}, to be copied by hand`}
        className="field w-full max-w-[420px]"
        value={props.link}
        onFocus={(event) => event.target.select()}
      />
    )
  }
  const Icon = state === 'copied' ? Check : Copy
  return (
    <button
      type="button"
      className={props.isSmall ? 'btn btn-ghost btn-small max-md:min-h-11!' : 'btn btn-ghost'}
      onClick={() => void copy()}
    >
      <Icon size={15} aria-hidden />
      <span role="status">{state === 'copied' ? 'Copied' : props.label}</span>
      {props.of && <span className="sr-only"> of {props.of}</span>}
    </button>
  )
}
