import { OPTION_LETTERS } from '../../../platform/options.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'

/** The test while it is opened: the same frame, so that nothing jumps. */
export function TestSkeleton({ title }: { title: string }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="bg-surface">
        <div className="wrap flex min-h-18 items-center py-2.5">
          <p className="eyebrow">{title}</p>
        </div>
        <div className="h-1 bg-line" />
      </header>
      <main className="wrap flex-1 pt-16">
        <LoadingNote>Loading questions</LoadingNote>
        <div className="mx-auto max-w-[636px]">
          <Skeleton className="h-3 w-28" />
          <Skeleton className="mt-4 h-8 w-full" />
          <Skeleton className="mt-3 h-8 w-2/3" />
          <div className="mt-9 grid gap-3">
            {OPTION_LETTERS.map((letter) => (
              <Skeleton key={letter} className="h-[56px] w-full" />
            ))}
          </div>
        </div>
      </main>
    </div>
  )
}
