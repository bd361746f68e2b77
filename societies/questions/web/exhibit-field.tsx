import { ImagePlus, Table2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  ALT_CHARACTERS,
  type Exhibit,
  PICTURE_LIMITS,
  PICTURE_TYPES,
} from '../../../platform/exhibit.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { AreaField } from '../../kit/web/fields.tsx'
import { Problem, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { addPicture } from '../contract.ts'
import { readTable, writeTable } from '../question-content.ts'

interface ExhibitProps {
  exhibit: Exhibit | null
  onChange: (exhibit: Exhibit | null) => void
}

/** Edits a question's exhibit: a table pasted from a spreadsheet, or an image (product 7.9.12). */
export function ExhibitField({ exhibit, onChange }: ExhibitProps) {
  const [isTable, setIsTable] = useState(exhibit?.kind === 'table')
  const file = useRef<HTMLInputElement>(null)
  const place = usePlace()
  const upload = useAct(
    async (chosen: File) => {
      if (chosen.size > PICTURE_LIMITS.bytes) {
        const message = `The image is ${Math.ceil(chosen.size / 1000)} KB. The limit is ${PICTURE_LIMITS.bytes / 1000} KB. Choose a smaller one.`
        throw new ApiFailure(0, { code: 'too_large', message })
      }
      return call(addPicture, { params: place, file: chosen })
    },
    (added) => onChange({ kind: 'picture', ...added, alt: '' }),
  )
  const kind = (Icon: typeof Table2, words: string, act: () => void) => (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      aria-disabled={upload.isBusy}
      onClick={() => !upload.isBusy && act()}
    >
      <Icon size={15} aria-hidden />
      {words}
    </button>
  )
  return (
    <div className="mb-4 max-md:hidden">
      <p className="label">
        Exhibit <span className="hint ml-2 font-normal">optional; shown above the options</span>
      </p>
      {isTable || exhibit?.kind === 'table' ? (
        <TableField exhibit={exhibit} onChange={onChange} />
      ) : exhibit ? (
        <AreaField
          label="What it shows, for candidates who can’t see it"
          hint={`Include everything needed to answer. ${exhibit.width} × ${exhibit.height} pixels.`}
          maxLength={ALT_CHARACTERS}
          value={exhibit.alt}
          error={exhibit.alt.trim() === '' && 'Describe what the image shows.'}
          onChange={(alt) => onChange({ ...exhibit, alt: alt.replaceAll('\n', ' ') })}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          {kind(Table2, 'Table', () => setIsTable(true))}
          {kind(ImagePlus, upload.isBusy ? 'Uploading…' : 'Image', () => file.current?.click())}
          <input
            ref={file}
            type="file"
            hidden
            aria-label="Image"
            accept={PICTURE_TYPES.join(',')}
            onChange={(event) => {
              const [chosen] = event.target.files ?? []
              event.target.value = ''
              if (chosen) upload.run(chosen)
            }}
          />
        </div>
      )}
      {(isTable || exhibit) && (
        <button
          type="button"
          className="btn btn-quiet btn-small mt-1.5"
          onClick={() => {
            setIsTable(false)
            upload.reset()
            onChange(null)
          }}
        >
          <X size={15} aria-hidden />
          No exhibit
        </button>
      )}
      <Problem text={upload.problem} />
    </div>
  )
}

function TableField({ exhibit, onChange }: ExhibitProps) {
  const rows = exhibit?.kind === 'table' ? exhibit.rows : null
  const stored = rows ? writeTable(rows) : ''
  const [text, setText] = useState(stored)
  const read = readTable(text)
  // Another version may have replaced the table.
  const isMine = read.problem !== null || JSON.stringify(read.rows) === JSON.stringify(rows)
  return (
    <AreaField
      label="Paste it from a spreadsheet"
      hint="One row per line, tabs between cells. The first line is the heading."
      isPlain
      rows={4}
      value={isMine ? text : stored}
      error={read.problem}
      onChange={(typed) => {
        const found = readTable(typed)
        setText(typed)
        onChange(found.rows ? { kind: 'table', rows: found.rows } : null)
      }}
    />
  )
}
