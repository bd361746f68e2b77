import { X } from 'lucide-react'
import { Link } from 'react-router'
import { LoadingNote, QuestionSkeleton } from '../../../platform/web/ui/skeleton.tsx'

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
          <QuestionSkeleton />
        </div>
      </main>
    </div>
  )
}
