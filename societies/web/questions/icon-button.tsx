/** A small button that is a picture, with its name for who hears it. */
export function IconButton(props: {
  label: string
  isOff?: boolean
  onClick: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.label}
      aria-disabled={props.isOff}
      className="grid size-8 place-items-center text-ink-2 hover:text-ink aria-disabled:opacity-40"
      onClick={() => !props.isOff && props.onClick()}
    >
      {props.children}
    </button>
  )
}
