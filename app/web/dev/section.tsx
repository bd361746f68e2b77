import type { ReactNode } from 'react'

/** A part of the design system under its name. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-14">
      <h2 className="border-ink border-b pb-2">{title}</h2>
      {children}
    </section>
  )
}

/** One thing of it, named by what it is called in the code. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-line border-b py-6">
      <p className="hint mb-4 font-medium">{name}</p>
      {children}
    </div>
  )
}

/** Samples that stand beside each other where there is room. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>
}
