import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'

/** Scrolls to the part of a screen that a followed link names (#id), if it is one of `ids`. Returns its id, or null. */
export function useLinkedPart(ids: readonly string[]): string | null {
  const { hash, key } = useLocation()
  const linked = ids.find((id) => hash === `#${id}`) ?? null
  useEffect(() => {
    // The browser looked for the fragment before this screen existed. `key` changes when a link is followed again.
    if (linked && key) document.getElementById(linked)?.scrollIntoView()
  }, [linked, key])
  return linked
}

export function HubSection(props: {
  title: string
  id?: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-label={props.title} id={props.id} className="mt-9 scroll-mt-6 nav:mt-12">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-ink border-b pb-3">
        <h2 className="max-sm:text-[23px]">{props.title}</h2>
        {props.note && <p className="hint">{props.note}</p>}
      </div>
      {props.children}
    </section>
  )
}

/** A setting or action, with its control. */
export function HubRow(props: { name: ReactNode; hint: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b py-4">
      <div className="max-w-[56ch]">
        <div>{props.name}</div>
        <div className="hint">{props.hint}</div>
      </div>
      {props.children}
    </div>
  )
}

/** A list item that is a full-width link. */
export function LinkRow(props: {
  to: string
  name: string
  about: string
  aside?: ReactNode
  onClick?: () => void
}) {
  return (
    <li className="border-line border-b">
      <Link
        to={props.to}
        onClick={props.onClick}
        className="group flex min-h-14 items-center justify-between gap-4 py-2"
      >
        <span className="min-w-0">
          <span className="block font-medium group-hover:underline group-hover:underline-offset-4">
            {props.name}
          </span>
          <span className="hint block">{props.about}</span>
        </span>
        <span className="hint flex flex-none items-center gap-2.5">
          {props.aside}
          <ChevronRight size={17} aria-hidden />
        </span>
      </Link>
    </li>
  )
}

/** A section of an introductory page. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9">
      <h2 className="border-ink border-b pb-2 text-[24px]">{title}</h2>
      <div className="max-w-[66ch] pt-4 text-[16.5px]">{children}</div>
    </section>
  )
}
