/** A field that two people have changed, as a person reads both values. */
export interface Conflict<Field extends string> {
  field: Field
  name: string
  mine: string
  theirs: string
}

/**
 * Both values of each field that two people have changed; whoever saves picks (product 7.8.6, 7.10.15).
 * Without one it says that nothing is left to pick.
 */
export function Conflicts<Field extends string>(props: {
  by: string
  conflicts: readonly Conflict<Field>[]
  onPick: (field: Field, value: 'mine' | 'theirs') => void
}) {
  const { by, conflicts } = props
  return (
    <section className="mb-9" role="alert">
      <div className="head">
        <h2>{by} has changed this meanwhile</h2>
      </div>
      <p className="mt-3 text-ink-2">
        {conflicts.length === 0
          ? 'What you both changed is settled. Look it over and save again.'
          : 'What only one of you changed is merged below. Where both did, please pick.'}
      </p>
      {conflicts.map(({ field, name, mine, theirs }) => (
        <div
          key={field}
          className="grid gap-x-5 gap-y-2 border-line border-b py-3 sm:grid-cols-[180px_1fr_1fr] sm:items-center"
        >
          <b className="font-medium">{name}</b>
          <button
            type="button"
            className="btn btn-ghost justify-start text-left"
            onClick={() => props.onPick(field, 'mine')}
          >
            Yours: {mine}
          </button>
          <button
            type="button"
            className="btn btn-ghost justify-start text-left"
            onClick={() => props.onPick(field, 'theirs')}
          >
            {by}: {theirs}
          </button>
        </div>
      ))}
    </section>
  )
}
