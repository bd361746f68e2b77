import { useMutation } from '@tanstack/react-query'
import { ImagePlus, Table2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  ALT_CHARACTERS,
  type Exhibit,
  PICTURE_LIMITS,
  PICTURE_TYPES,
} from '../../../platform/exhibit.ts'
import { call } from '../../../platform/web/api.ts'
import { AreaField } from '../../kit/web/fields.tsx'
import { Problem, usePlace } from '../../kit/web/use-act.tsx'
import { addPicture } from '../contract.ts'
import { readTable, writeTable } from '../exhibit-text.ts'

/** A table pasted from a spreadsheet, or a picture, above the options (product 7.9.12). */
export function ExhibitField(props: {
  exhibit: Exhibit | null
  onChange: (exhibit: Exhibit | null) => void
}) {
  const { exhibit, onChange } = props
  const [isTable, setIsTable] = useState(exhibit?.kind === 'table')
  const file = useRef<HTMLInputElement>(null)
  const place = usePlace()
  const upload = useMutation({
    mutationFn: (chosen: File) => {
      if (chosen.size > PICTURE_LIMITS.bytes) {
        throw new Error(
          `The picture has ${Math.ceil(chosen.size / 1000)} KB, and the limit is ${PICTURE_LIMITS.bytes / 1000} KB. Please make it smaller.`,
        )
      }
      return call(addPicture, { params: place, file: chosen })
    },
    onSuccess: (added) => onChange({ kind: 'picture', ...added, alt: '' }),
  })
  const clear = () => {
    setIsTable(false)
    upload.reset()
    onChange(null)
  }
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
          hint={`Everything needed to answer. ${exhibit.width} × ${exhibit.height} pixels.`}
          maxLength={ALT_CHARACTERS}
          value={exhibit.alt}
          error={exhibit.alt.trim() === '' && 'Please say what the picture shows.'}
          onChange={(alt) => onChange({ ...exhibit, alt: alt.replaceAll('\n', ' ') })}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-ghost btn-small"
            onClick={() => setIsTable(true)}
          >
            <Table2 size={15} aria-hidden />
            Table
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-small"
            aria-disabled={upload.isPending}
            onClick={() => !upload.isPending && file.current?.click()}
          >
            <ImagePlus size={15} aria-hidden />
            {upload.isPending ? 'Uploading…' : 'Picture'}
          </button>
          <input
            ref={file}
            type="file"
            hidden
            aria-label="Picture"
            accept={PICTURE_TYPES.join(',')}
            onChange={(event) => {
              const [chosen] = event.target.files ?? []
              event.target.value = ''
              if (chosen) upload.mutate(chosen)
            }}
          />
        </div>
      )}
      {(isTable || exhibit) && (
        <button type="button" className="btn btn-quiet btn-small mt-1.5" onClick={clear}>
          <X size={15} aria-hidden />
          No exhibit
        </button>
      )}
      <Problem text={upload.error?.message} />
    </div>
  )
}

function TableField(props: {
  exhibit: Exhibit | null
  onChange: (exhibit: Exhibit | null) => void
}) {
  const rows = props.exhibit?.kind === 'table' ? props.exhibit.rows : null
  const stored = rows ? writeTable(rows) : ''
  const [text, setText] = useState(stored)
  const read = readTable(text)
  // Another version may have replaced it.
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
        props.onChange(found.rows ? { kind: 'table', rows: found.rows } : null)
      }}
    />
  )
}
