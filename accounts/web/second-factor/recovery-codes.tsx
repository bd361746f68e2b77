import { useEffect, useRef, useState } from 'react'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'

/** Shows the ten codes once: to copy, download or print (product 2.10.7). */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const [isCopied, setCopied] = useState(false)
  // The previous step had the focus, and screen readers should read this one.
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  const text = `Superday recovery codes. Each works once instead of an app code.\n\n${codes.join('\n')}\n`

  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => toast.error('The codes could not be copied', 'Please download or print them.'),
    )

  return (
    <div className="flex flex-col gap-5">
      <div ref={top} tabIndex={-1} className="print-alone outline-none">
        <p>
          If you don’t have your phone, use one of these instead of an app code. Each works once.
          Keep the codes off your phone: they’re only shown this once.
        </p>
        <ol
          aria-label="Recovery codes"
          className="mt-4 grid gap-x-6 border-ink border-t sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li
              key={code}
              className="border-line border-b py-2 font-mono text-[16px] tracking-[0.02em]"
            >
              {code}
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="btn btn-ghost" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button
          type="button"
          className="btn btn-ghost"
          onClick={() => saveAsFile('superday-recovery-codes.txt', text, 'text/plain')}
        >
          Download
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <div>
        <button type="button" className="btn" onClick={onKept}>
          I’ve saved my codes
        </button>
      </div>
    </div>
  )
}
