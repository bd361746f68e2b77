import { type ReactNode, useState } from 'react'
import { ApiFailure } from '../../../../platform/web/api-failure.ts'

/** Whether a save was refused because somebody else saved since the form was read. */
export const isStale = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'stale'

/** Above a form whose save was stale: who was first, and what is saved now. The own text is kept (product 7.9.9). */
export function ChangedMeanwhile<Typed>(props: {
  /** of the save */
  error: unknown
  typed: Typed
  /** puts what is saved now into the form, and forgets the error */
  onReload: () => unknown
  onPutBack: (typed: Typed) => void
}) {
  const { error, typed } = props
  const [kept, setKept] = useState<{ typed: Typed } | null>(null)
  if (isStale(error)) {
    return (
      <Notice text={error.message}>
        <button
          type="button"
          className="link"
          onClick={() => {
            setKept({ typed })
            // Without a connection the notice stays, with its button.
            void Promise.resolve(props.onReload()).catch(() => undefined)
          }}
        >
          Reload
        </button>
      </Notice>
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

/** After a reload: what a form shows is what is saved, and the member's own text can be put back. */
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

export function Notice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div role="alert" className="warning mb-4">
      <span>
        {text} {children}
      </span>
    </div>
  )
}

export function changedFields<T extends object>(read: T, mine: T): (keyof T & string)[] {
  const fields = Object.keys(read) as (keyof T & string)[]
  return fields.filter((field) => JSON.stringify(read[field]) !== JSON.stringify(mine[field]))
}
