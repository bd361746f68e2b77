import { Accordion as Base } from '@base-ui/react/accordion'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { useLinkedPart } from './section.tsx'

/** Items of which one is open at a time (product 8.8.1). A fragment such as #cv opens its item. */
export function Accordion(props: { ids: readonly string[]; children: ReactNode }) {
  const { key } = useLocation()
  const linked = useLinkedPart(props.ids)
  const [choice, setChoice] = useState<{ at: string; id: string | null } | null>(null)
  // An item opened by hand stays open until a link opens another.
  const open = choice && (choice.at === key || !linked) ? choice.id : linked

  return (
    <Base.Root<string>
      hiddenUntilFound
      value={open === null ? [] : [open]}
      onValueChange={([id]) => setChoice({ at: key, id: id ?? null })}
    >
      {props.children}
    </Base.Root>
  )
}

/** One item: a row that expands in place, like the dashboard's table of contents. */
export function AccordionItem(props: {
  id: string
  /** its number in the list, from 1 */
  number: number
  title: string
  level: 2 | 3
  children: ReactNode
}) {
  const Heading = `h${props.level}` as const
  return (
    <Base.Item value={props.id} id={props.id} className="scroll-mt-4 border-line border-b">
      <Base.Header render={<Heading />} className="text-[19px] leading-snug sm:text-[21px]">
        <Base.Trigger className="group grid w-full grid-cols-[36px_1fr_28px] items-baseline rounded-md py-5 text-left tracking-[inherit] sm:grid-cols-[60px_1fr_40px]">
          <span aria-hidden className="pl-1 text-[18px] text-ink-2">
            {String(props.number).padStart(2, '0')}
          </span>
          <span className="underline-offset-4 group-hover:underline">{props.title}</span>
          <ChevronDown
            size={18}
            aria-hidden
            className="self-center justify-self-end text-ink-2 transition-transform duration-150 group-data-panel-open:rotate-180"
          />
        </Base.Trigger>
      </Base.Header>
      <Base.Panel>
        <div className="pt-1 pb-9 sm:pr-10 sm:pl-[60px]">{props.children}</div>
      </Base.Panel>
    </Base.Item>
  )
}
