import { Link } from 'react-router'
import { drillUrl, URLS } from '../../../../platform/urls.ts'
import type { Drill } from '../../../contract/drills.ts'
import { KINDS, type KindName } from '../../../drill/kinds.ts'
import { drillOfKind, type Preset } from '../../../drill/presets.ts'
import { drillHeading } from '../../../drill/report.ts'
import { OnLink } from '../../on-link.tsx'
import { useEveningOfPart } from '../../superday/way-back.tsx'
import { useSavingLine } from '../../use-outbox.tsx'

/** The score, large, the sentence that says what held one up, and what to do about it. */
export function DrillSum(props: {
  preset: Preset
  drill: Drill
  penalty: number
  earlierScores: readonly number[]
  slow: KindName | null
  userId: string
}) {
  const { preset, drill, slow } = props
  const saving = useSavingLine(props.userId, drill.id, 'drill')
  return (
    <section className="grid gap-x-14 gap-y-5 pb-8 nav:grid-cols-[auto_1fr] nav:[align-items:last_baseline]">
      <p className="fig text-[128px] leading-[0.8] nav:text-(length:--fig-1)">
        <span className="sr-only">Score: </span>
        {drill.score < 0 ? `−${-drill.score}` : drill.score}
      </p>
      <div>
        <p className="eyebrow">
          {preset.name}, {preset.extent}
        </p>
        <h1 className="mt-2 max-w-[24ch] text-[30px] nav:text-[42px]">
          {drillHeading(drill.score, props.earlierScores, slow)}
        </h1>
        <p className="running mt-2.5 text-[17px] text-ink-2">
          {account(preset, drill, props.penalty)}
        </p>
        <p role="status" className="hint mt-1.5 min-h-5">
          {saving}
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 nav:gap-x-3">
          <WaysOn preset={preset} slow={slow} />
        </div>
      </div>
    </section>
  )
}

/** The evening that the drill is a part of, else what held one up, else the same drill again. */
function WaysOn({ preset, slow }: { preset: Preset; slow: KindName | null }) {
  const evening = useEveningOfPart()
  if (evening) {
    return (
      <OnLink className="max-nav:w-full" to={evening.to}>
        Back to the superday
      </OnLink>
    )
  }
  return (
    <>
      {slow && (
        <OnLink className="max-nav:w-full" to={drillUrl(drillOfKind(slow).id)}>
          Two minutes of {lower(KINDS[slow].title)}
        </OnLink>
      )}
      <Link
        className={slow ? 'btn btn-flat max-nav:flex-1' : 'btn btn-big max-nav:w-full'}
        to={drillUrl(preset.id)}
      >
        Again, {preset.short}
      </Link>
      <Link className="btn btn-flat max-nav:flex-1" to={URLS.drills}>
        All drills
      </Link>
      <Link className="btn btn-flat max-nav:flex-1" to={URLS.dashboard}>
        Dashboard
      </Link>
    </>
  )
}

/** '61 right, 4 wrong at one point each, 15 not reached. 56 is said to pass.' */
function account(preset: Preset, drill: Drill, penalty: number): string {
  const parts = [`${drill.correct} right`]
  if (!preset.takesNoEnter) {
    const price = ['', ' at one point each', ' at two points each'][penalty] ?? ''
    parts.push(drill.wrong === 0 ? 'none wrong' : `${drill.wrong} wrong${price}`)
  }
  if (!preset.isEndless)
    parts.push(drill.skipped === 0 ? 'all reached' : `${drill.skipped} not reached`)
  const { passMark, source } = preset
  const pass = passMark !== null && source ? ` ${passMark} is said to pass (${source.year}).` : ''
  return `${parts.join(', ')}.${pass}`
}

const lower = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)
