import { useTitle } from '../ui/page.tsx'

/** A screen that is not built yet: its title and nothing else. */
export function ComingSoon({ title }: { title: string }) {
  useTitle(title)
  return (
    <main className="wrap py-16">
      <h1>{title}</h1>
    </main>
  )
}
