import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { Heads } from '../../kit/web/heads.tsx'
import { Section } from '../../kit/web/section.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import type { Results } from '../contract.ts'
import { pointsShown, tooFewWords } from './results-words.ts'

/** The forms of the test and the other sessions of its season (product 7.17.14). */
export function SideBySide({ groups }: { groups: Results['sideBySide'] }) {
  const { society, code } = usePlace()
  return (
    <Section
      title="Side by side"
      hint="a difference can come from the questions or from the candidates"
      isHintWide
      className="mt-9"
    >
      <table className="table">
        <Heads
          of={[
            ['Session'],
            ['Candidates', 'text-end!'],
            ['Questions', 'text-end! max-md:hidden'],
            ['Mean', 'text-end!'],
            ['Median', 'text-end!'],
            ['Half of all have', 'text-end! whitespace-normal!'],
          ]}
        />
        <tbody>
          {groups.map(({ code: of, name, form, people, questions, middle }) => (
            <tr key={`${of} ${form}`}>
              <th scope="row">
                {of === code ? (
                  name
                ) : (
                  <Link className="link" to={assessmentUrl(society, of, 'results')}>
                    {name}
                  </Link>
                )}
                {form && `, form ${form}`}
              </th>
              <td className="text-end">{people}</td>
              <td className="text-end max-md:hidden">{questions}</td>
              {middle ? (
                <>
                  <td className="text-end">{middle.mean.toFixed(1)}</td>
                  <td className="text-end">{pointsShown(middle.median)}</td>
                  <td className="whitespace-nowrap text-end">
                    {pointsShown(middle.low)} to {pointsShown(middle.high)}
                  </td>
                </>
              ) : (
                <td colSpan={3} className="text-end text-ink-2">
                  {tooFewWords(people)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
