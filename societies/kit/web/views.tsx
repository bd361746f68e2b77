import { Link } from 'react-router'

export const Views = (props: {
  label: string
  of: readonly (readonly [to: string, words: string, isOpen: boolean])[]
}) => (
  <nav aria-label={props.label} className="filters border-line border-b pb-2.5">
    {props.of.map(([to, words, isOpen]) => (
      <Link
        key={to}
        to={to}
        replace
        aria-current={isOpen ? 'page' : undefined}
        className="flex min-h-9 items-center aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_2px_0_var(--ink)] max-md:min-h-11"
      >
        {words}
      </Link>
    ))}
  </nav>
)
