import { useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'

const COLUMNS = [
  [
    'Right',
    'The share who had it right. The line is where it may lie with other candidates like these.',
  ],
  [
    'Goes with the rest',
    'How far those who had it right also do well on the other questions: the correlation with the rest of the test. Below 0 look at the key first.',
  ],
  ['A to D, none', 'How many chose each option, the key in green, and how many chose none.'],
  [
    'Time',
    'Half of the candidates looked at it for less, as their pages tell: visible time without absences. It says something of the question, and proves nothing of anybody.',
  ],
  [
    'Key suspicious',
    'Another option goes with the rest better than the key does, and at least a third of the best chose it.',
  ],
  ['Attracts the good', 'The better somebody is, the likelier they choose this wrong option.'],
  ['Hardly chosen', 'Fewer than one in twenty chose it: as a distractor it does not work.'],
] as const

/** A link that explains the columns. */
export function WhatColumnsMean() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="quiet-link max-md:min-h-11" onClick={() => setIsOpen(true)}>
        What the columns mean
      </button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="What the columns mean" wide>
        <dl className="grid gap-3.5">
          {COLUMNS.map(([name, words]) => (
            <div key={name}>
              <dt className="font-semibold">{name}</dt>
              <dd className="text-ink-2">{words}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}
