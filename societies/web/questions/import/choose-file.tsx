import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Section } from '../../kit/section.tsx'

/** Where a file comes from: dropped, chosen, or pasted as text. */
export function ChooseFile({ onFile }: { onFile: (file: Blob, name: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [text, setText] = useState('')
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file) onFile(file, file.name)
  }
  return (
    <div className="grid gap-x-14 gap-y-9 md:grid-cols-2">
      <section
        aria-labelledby="from-a-file"
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          take(event.dataTransfer.files)
        }}
      >
        <div className="head">
          <h2 id="from-a-file">From a file</h2>
          <span className="hint">5 MB at most</span>
        </div>
        <div
          className={`mt-5 grid min-h-55 place-content-center justify-items-center gap-3 rounded-md border border-dashed p-6 text-center ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
        >
          <p className="text-ink-2">Drop a file here, or</p>
          <button type="button" className="btn btn-ghost" onClick={() => input.current?.click()}>
            <FileUp size={16} aria-hidden />
            Choose a file
          </button>
          <input
            ref={input}
            type="file"
            hidden
            onChange={(event) => {
              take(event.target.files)
              // The same file again is read again.
              event.target.value = ''
            }}
          />
        </div>
        <p className="hint mt-3">
          A spreadsheet has one row per question, with headings such as Question, Answer A, Answer
          B, Answer C, Answer D and Correct Option.
        </p>
      </section>
      <Section title="From text">
        <label htmlFor="pasted" className="label mt-5">
          Paste the questions
        </label>
        <textarea
          id="pasted"
          className="field figures w-full"
          rows={9}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={
            'What pays no coupon?\nA. A zero bond\nB. A par bond\nC. A perpetual\nD. A floater\nANSWER: A'
          }
        />
        <button
          type="button"
          className="btn btn-ghost mt-3"
          aria-disabled={text.trim() === ''}
          onClick={() => text.trim() !== '' && onFile(new Blob([text]), 'pasted text')}
        >
          Read the text
        </button>
      </Section>
    </div>
  )
}
