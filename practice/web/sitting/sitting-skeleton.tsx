import { X } from 'lucide-react'
import { Link } from 'react-router'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'

/** A sitting while its questions load: the same frame, so that nothing jumps. */
export function SittingSkeleton(props: { closeTo: string; closeLabel: string }) {
  return (
    <div className="sitting">
      <header>
        <div className="sitting-wrap flex h-16 items-center">
          <Link to={props.closeTo} aria-label={props.closeLabel} className="icon-btn -ml-3">
            <X size={20} aria-hidden />
          </Link>
        </div>
        <div className="h-[3px] bg-line" />
      </header>
      <main className="sitting-wrap sitting-question">
        <div>
          <LoadingNote>Loading questions</LoadingNote>
          <Skeleton className="h-3 w-24" />
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
