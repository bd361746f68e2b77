import { useState } from 'react'
import { AreaField } from '../../kit/web/fields.tsx'
import { REASON_LENGTH } from '../contract.ts'

const CHIPS = ['network', 'fire alarm', 'arrived late', 'device', 'other'] as const

/** Asks for a reason, with buttons for the common ones and a text field for details (product 7.1.4). */
export function useReason() {
  const [chip, setChip] = useState<(typeof CHIPS)[number] | null>(null)
  const [text, setText] = useState('')
  const words = text.trim()
  const said = chip === null || chip === 'other' ? words : words ? `${chip}: ${words}` : chip
  return { chip, setChip, text, setText, reason: said, isGiven: said !== '' }
}

export function Reason({ of }: { of: ReturnType<typeof useReason> }) {
  return (
    <fieldset>
      <legend className="label">Why</legend>
      <div className="mb-2 flex flex-wrap gap-1.5">
        {CHIPS.map((chip) => (
          <button
            key={chip}
            type="button"
            className="quick"
            aria-pressed={of.chip === chip}
            onClick={() => of.setChip(of.chip === chip ? null : chip)}
          >
            {chip}
          </button>
        ))}
      </div>
      <AreaField
        label="Why, in words"
        isLabelHidden
        maxLength={REASON_LENGTH - 20}
        placeholder={
          of.chip && of.chip !== 'other' ? 'more, if it helps' : 'in words, for an appeal'
        }
        value={of.text}
        onChange={of.setText}
      />
    </fieldset>
  )
}
