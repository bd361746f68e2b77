import { PageHead, useTitle } from '../../../platform/web/ui/page.tsx'
import { ThemeSwitch } from '../../../platform/web/ui/theme-switch.tsx'
import { Charts, Scores } from './charts.tsx'
import { Controls } from './controls.tsx'
import { Answers, States } from './states.tsx'
import { Opening } from './things-that-open.tsx'
import { Colours, Spacing, TypeScale } from './tokens.tsx'

/**
 * /dev/ui, in development only: every token and every component of web/ui with fixed data, so that a
 * change to one is seen in all its states at once.
 */
export function DevUi() {
  useTitle('Design system')
  return (
    <main className="wrap pt-12 pb-20">
      <PageHead title="Design system">
        Ink on warm paper, hairline rules, Newsreader for headings and questions, Inter for text.
      </PageHead>
      <div className="mt-7">
        <ThemeSwitch />
      </div>
      <TypeScale />
      <Colours />
      <Spacing />
      <Controls />
      <Opening />
      <Answers />
      <Scores />
      <Charts />
      <States />
    </main>
  )
}
