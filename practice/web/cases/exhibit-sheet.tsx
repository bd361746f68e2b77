import { ChevronDown, ChevronUp, Table2 } from 'lucide-react'
import { useState } from 'react'
import type { Case } from '../../cases/case.ts'
import { ExhibitPart, type Marking } from './exhibit.tsx'

/**
 * The exhibit on a phone: a bar under the head that opens a sheet above the question, one part at a time. The
 * question stays in sight below it and can be answered meanwhile.
 */
export function ExhibitSheet(
  props: {
    content: Case
    isOpen: boolean
    onOpenChange: (isOpen: boolean) => void
  } & Marking,
) {
  const { content, isOpen, onOpenChange } = props
  const parts = [
    ...content.exhibits.filter(({ kind }) => kind !== 'chart'),
    ...content.exhibits.filter(({ kind }) => kind === 'chart'),
  ]
  const [shown, setShown] = useState(parts[0]?.id)
  const part = parts.find(({ id }) => id === shown) ?? parts[0]
  if (!part) return null
  if (!isOpen) {
    return (
      <button
        type="button"
        className="case-pull"
        aria-expanded={false}
        onClick={() => onOpenChange(true)}
      >
        <Table2 size={20} aria-hidden />
        <span className="min-w-0 flex-1 truncate text-left">Exhibit: {content.title}</span>
        <ChevronDown size={20} aria-hidden />
      </button>
    )
  }
  return (
    <section
      aria-label="Exhibit"
      className="case-sheet"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onOpenChange(false)
      }}
    >
      <div className="case-tabs">
        <div className="case-tab-list">
          {parts.map(({ id, tab }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === part.id}
              onClick={() => setShown(id)}
            >
              {tab}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="icon-btn -mr-3"
          aria-label="Close the exhibit"
          aria-expanded
          onClick={() => onOpenChange(false)}
        >
          <ChevronUp size={20} aria-hidden />
        </button>
      </div>
      {/* Focusable, so that a table taller than the sheet can be scrolled with the keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="case-sheet-body" tabIndex={0} aria-label={part.tab}>
        {part === parts[0] && <p className="hint running pb-2">{content.story}</p>}
        <ExhibitPart part={part} isNarrow marks={props.marks} onMark={props.onMark} />
      </section>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        className="case-grip"
        onClick={() => onOpenChange(false)}
      />
    </section>
  )
}
