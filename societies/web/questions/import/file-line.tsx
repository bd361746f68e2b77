import { FileText } from 'lucide-react'
import { useId, useState } from 'react'
import {
  ENCODINGS,
  type Encoding,
  FILE_NOTICES,
  FORMAT_NAMES,
  READ_FORMATS,
  type ReadFormat,
  type TableLayout,
} from '../../../questions/question-files.ts'
import { MapColumns } from './map-columns.tsx'
import { categoriesOf, type Draft, type FileReview } from './reviewed.ts'

/** What a person says of the file, where the guess is wrong. */
export interface Told {
  format?: ReadFormat
  encoding?: Encoding
  layout?: TableLayout
}

const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252',
}
const TABLES: readonly (ReadFormat | null)[] = ['csv', 'xlsx', 'kahoot', 'quizizz']

/** The file, how it was read, and what can be said otherwise: format, encoding, columns, topics. */
export function FileLine(props: {
  name: string
  review: FileReview
  drafts: readonly Draft[]
  topics: Readonly<Record<string, string>>
  isBusy: boolean
  onTold: (told: Told) => void
  onTopic: (category: string, topic: string) => void
}) {
  const { review } = props
  const [isMapping, setIsMapping] = useState(false)
  const [hasTopics, setHasTopics] = useState(false)
  const categories = categoriesOf(props.drafts)
  const count = props.drafts.length
  const list = useId()
  return (
    <div className="mb-7.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-ink border-t border-b border-b-line py-2.5">
        <span className="flex min-w-0 items-center gap-3">
          <FileText size={18} aria-hidden className="flex-none" />
          <b className="min-w-0 truncate font-semibold">{props.name}</b>
        </span>
        <span className="text-ink-2">read as</span>
        <select
          aria-label="Format"
          className="field w-auto!"
          aria-disabled={props.isBusy}
          value={review.format ?? 'csv'}
          onChange={(event) => props.onTold({ format: event.target.value as ReadFormat })}
        >
          {READ_FORMATS.map((format) => (
            <option key={format} value={format}>
              {FORMAT_NAMES[format].replace(/^a /, '')}
            </option>
          ))}
        </select>
        {review.encoding && (
          <select
            aria-label="Encoding"
            className="field w-auto!"
            aria-disabled={props.isBusy}
            value={review.encoding}
            onChange={(event) => {
              const encoding = event.target.value as Encoding
              props.onTold({ ...(review.format ? { format: review.format } : {}), encoding })
            }}
          >
            {ENCODINGS.map((encoding) => (
              <option key={encoding} value={encoding}>
                {ENCODING_NAMES[encoding]}
              </option>
            ))}
          </select>
        )}
        <span className="text-ink-2" role="status">
          {props.isBusy
            ? 'Reading it again…'
            : review.questions &&
              `${count} ${count === 1 ? 'question' : 'questions'}${categories.length > 0 ? ` in ${categories.length} ${categories.length === 1 ? 'category' : 'categories'}` : ''}`}
        </span>
        <span className="flex-1" />
        {review.table && review.questions && TABLES.includes(review.format) && (
          <button
            type="button"
            className="quiet-link min-h-8 max-md:min-h-11"
            aria-expanded={isMapping}
            onClick={() => setIsMapping(!isMapping)}
          >
            Columns
          </button>
        )}
        {categories.length > 0 && (
          <button
            type="button"
            className="quiet-link min-h-8 max-md:min-h-11"
            aria-expanded={hasTopics}
            onClick={() => setHasTopics(!hasTopics)}
          >
            Categories to topics
          </button>
        )}
      </div>
      {review.table && (isMapping || !review.questions) && (
        <div className="mt-4">
          <MapColumns
            key={JSON.stringify(review.table)}
            table={review.table}
            isBusy={props.isBusy}
            onRead={(layout) => {
              setIsMapping(false)
              props.onTold({ ...(review.format === 'csv' ? { format: 'csv' } : {}), layout })
            }}
          />
        </div>
      )}
      {hasTopics && (
        <section aria-label="Categories to topics" className="border-line border-b py-4">
          <datalist id={list}>
            {review.topics.map((topic) => (
              <option key={topic} value={topic} />
            ))}
          </datalist>
          <ul className="grid gap-x-10 gap-y-2 md:grid-cols-2">
            {categories.map(([category, of]) => (
              <li key={category} className="flex flex-wrap items-center gap-3">
                <span className="min-w-40 flex-1 truncate">
                  {category} <small className="text-ink-2">{of}</small>
                </span>
                <input
                  className="field flex-1"
                  aria-label={`Topic of ${category}`}
                  list={list}
                  maxLength={80}
                  value={props.topics[category] ?? ''}
                  onChange={(event) => props.onTopic(category, event.target.value)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {review.notices.length > 0 && (
        <p className="mt-3 text-[13.5px] text-ink-2">
          {review.notices.map((notice) => FILE_NOTICES[notice]).join(' ')}
        </p>
      )}
    </div>
  )
}
