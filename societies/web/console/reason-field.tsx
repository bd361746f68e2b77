import type { TextareaHTMLAttributes } from 'react'

type ReasonProps = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'children' | 'className' | 'rows' | 'onChange' | 'value'
> & {
  value: string
  /** characters at most, as the server has it */
  maxLength: number
  onChange: (reason: string) => void
}

/**
 * Where somebody writes why: two lines at first, and as many as its text needs, so that a reason is read whole
 * before it is kept. Its label stands beside it.
 */
export function ReasonField({ onChange, ...field }: ReasonProps) {
  return (
    <textarea
      {...field}
      rows={2}
      className="field field-sizing-content max-h-60 min-h-15 w-full"
      // Enter is a new line here; with Ctrl or Cmd it does what the form is for.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.currentTarget.form?.requestSubmit()
        }
      }}
      // What nobody sees, such as a tab that was pasted, would be refused.
      onChange={(event) => onChange(event.target.value.replace(/[^\P{Cc}\n]/gu, ' '))}
    />
  )
}
