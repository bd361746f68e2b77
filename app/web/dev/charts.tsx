import { ActivityCalendar } from '../../../practice/web/charts/activity-calendar.tsx'
import { lastWeeks } from '../../../practice/web/charts/history.ts'
import { ScoreBars } from '../../../practice/web/charts/score-bars.tsx'
import { ScoreHistory } from '../../../practice/web/charts/score-history.tsx'
import { ScoreLine } from '../../../practice/web/charts/score-line.tsx'
import { Score, scoreStyle } from '../../../practice/web/score.tsx'
import { Row, Sample, Section } from './section.tsx'

const PERCENTAGES = [40, 50, 60, 50, 70, 80, 70, 90]
const TODAY = '2026-03-05'
const COUNTS = new Map([
  ['2026-02-11', 1],
  ['2026-02-12', 2],
  ['2026-03-02', 1],
  ['2026-03-03', 3],
  [TODAY, 1],
])

/** Percentages in their three colours, and the chips. */
export function Scores() {
  return (
    <Section title="Scores">
      <Sample name="Score, .chip, .track">
        <div className="grid max-w-[420px] gap-4">
          {[90, 65, 40].map((percentage) => (
            <div key={percentage}>
              <Row>
                <Score percentage={percentage} />
                <span className={`chip ${scoreStyle(percentage).chip}`}>{percentage}%</span>
                <span className="chip">10 questions</span>
              </Row>
              <div className="track mt-3">
                <span style={{ width: `${percentage}%` }} />
              </div>
            </div>
          ))}
        </div>
      </Sample>
    </Section>
  )
}

/** Every chart with fixed figures, and with one only. */
export function Charts() {
  return (
    <Section title="Charts">
      <Sample name="ScoreLine">
        <div className="grid max-w-[760px] gap-8 sm:grid-cols-2">
          <ScoreLine percentages={PERCENTAGES} from="Oct 12" to="Nov 19" last="90%" />
          <ScoreLine percentages={[70]} from="Nov 19" to="" last="70%" />
        </div>
      </Sample>
      <Sample name="ScoreHistory">
        <ScoreHistory
          tests={PERCENTAGES.map((percentage, index) => ({
            completedAt: `2026-03-0${index + 1}T12:00:00Z`,
            name: `Test ${index + 1}`,
            percentage,
          }))}
        />
      </Sample>
      <Sample name="ScoreBars">
        <ScoreBars
          bars={[
            { name: 'Valuation & Corporate Finance', percentage: 82.5, count: 4 },
            { name: 'Macroeconomics & Business Strategy', percentage: 61, count: 1 },
            { name: 'Financial Accounting & Analysis', percentage: 44, count: 2 },
            { name: 'Mental Agility & Problem Solving', percentage: null, count: 0 },
          ]}
        />
      </Sample>
      <Sample name="ActivityCalendar">
        <ActivityCalendar weeks={lastWeeks(TODAY, 12)} counts={COUNTS} today={TODAY} />
      </Sample>
    </Section>
  )
}
