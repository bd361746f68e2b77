import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'

/**
 * Narrows a list by what is typed; '/' leads there from anywhere on the page, Escape empties it.
 * @param props.by what is searched: 'Name, username or room'
 */
export function SearchField(props: {
  by: string
  className: string
  value: string
  onChange: (text: string) => void
}) {
  const { by, value, onChange } = props
  const field = useRef<HTMLInputElement>(null)
  useSlash(field)
  return (
    <label className={`relative max-md:w-full ${props.className}`}>
      <span className="sr-only">
        Search by {by.charAt(0).toLowerCase()}
        {by.slice(1)}
      </span>
      <Search
        size={15}
        aria-hidden
        className="-translate-y-1/2 absolute top-1/2 left-3 text-ink-2"
      />
      <input
        ref={field}
        type="search"
        className="field w-full pl-8.5!"
        placeholder={by}
        aria-keyshortcuts="/"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('')
          // It stands in the form of some dialogs.
          if (event.key === 'Enter' && event.currentTarget.closest('[role=dialog]')) {
            event.preventDefault()
          }
        }}
      />
    </label>
  )
}

/** '/' leads to a list's search from anywhere but a field or a dialog. */
export function useSlash(search: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest(
        'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog]',
      )
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      search.current?.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [search])
}
