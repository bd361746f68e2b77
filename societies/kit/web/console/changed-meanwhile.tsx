import { type FetchQueryOptions, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiFailure } from '../../../../platform/web/api-failure.ts'

/** Whether a save was rejected because another save came after the form was loaded. */
export const isStale = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'stale'

/** Shows who saved first and offers the new version. The member's text is kept (product 7.9.9). */
export function ChangedMeanwhile<Typed>(props: {
  save: { failure: unknown; reset: () => void }
  typed: Typed
  /** Loads the saved version into the form. */
  onReload: () => unknown
  onPutBack: (typed: Typed) => void
}) {
  const { save, typed } = props
  const [kept, setKept] = useState<{ typed: Typed } | null>(null)
  if (isStale(save.failure)) {
    return (
      <NewerNotice
        text={save.failure.message}
        onReload={() => {
          setKept({ typed })
          // Without a connection, the notice and its button stay.
          void Promise.resolve(props.onReload()).then(save.reset, () => undefined)
        }}
      />
    )
  }
  if (!kept) return null
  return (
    <YourText
      onPutBack={() => {
        props.onPutBack(kept.typed)
        setKept(null)
      }}
      onDiscard={() => setKept(null)}
    />
  )
}

export function NewerNotice({ text, onReload }: { text: string; onReload: () => void }) {
  return (
    <Notice text={text}>
      <button type="button" className="link" onClick={onReload}>
        Reload
      </button>
    </Notice>
  )
}

/** The notice after a reload. The form shows the saved version, and the member can restore their own text. */
export function YourText(props: { onPutBack: () => void; onDiscard: () => void }) {
  return (
    <Notice text="This is the new version. Your text is kept.">
      <button type="button" className="link" onClick={props.onPutBack}>
        Put my text back
      </button>
      {' · '}
      <button type="button" className="link" onClick={props.onDiscard}>
        Discard my text
      </button>
    </Notice>
  )
}

function Notice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div role="alert" className="warning mb-4">
      <span>
        {text} {children}
      </span>
    </div>
  )
}

/**
 * Tracks the version a form is based on, which is sent with a save, and the typed values.
 * @param query loads the saved version for a reload
 * @param find selects the form's subject from the query's data
 */
export function useReadForm<Read, Typed, Data>(
  first: Read,
  typedOf: (read: Read) => Typed,
  query: FetchQueryOptions<Data>,
  find: (data: Data) => Read | undefined,
) {
  const client = useQueryClient()
  const [read, setRead] = useState(first)
  const [typed, setTyped] = useState(() => typedOf(first))
  const show = (next: Read) => {
    setRead(next)
    setTyped(typedOf(next))
  }
  const reload = async () => {
    const now = find(await client.fetchQuery({ ...query, staleTime: 0 }))
    if (now !== undefined) show(now)
  }
  return { read, typed, setTyped, show, reload }
}

export function changedFields<T extends object>(read: T, mine: T): (keyof T & string)[] {
  const fields = Object.keys(read) as (keyof T & string)[]
  return fields.filter((field) => JSON.stringify(read[field]) !== JSON.stringify(mine[field]))
}
