import { Dialog } from '../../../platform/web/ui/dialog.tsx'

/**
 * What the columns of a list mean, and its keys.
 * @param props.words column and meaning
 */
export function ColumnWords(props: {
  words: readonly (readonly [column: string, meaning: string])[]
  keys: string
  onClose: () => void
}) {
  return (
    <Dialog open onOpenChange={props.onClose} title="What the columns mean" closeButton="text">
      <dl className="grid gap-3">
        {props.words.map(([column, meaning]) => (
          <div key={column}>
            <dt className="font-medium">{column}</dt>
            <dd className="text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="hint mt-4 text-ink-2">Keys: {props.keys}</p>
    </Dialog>
  )
}
