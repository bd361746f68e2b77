import type { SimulationNow } from './queries.ts'

type Person = NonNullable<SimulationNow['simulation']>['people'][number]

const WHERE: Readonly<Record<Person['where'], string>> = {
  absent: 'Not here',
  verified: 'Signed in',
  running: 'Inside',
  submitted: 'Done',
}
const REASONS: Readonly<Record<string, string>> = {
  candidate: 'Handed in',
  violations: 'Ended by the third strike',
  deadline: 'Ran out of time',
}

/** Who is where and how far. @param props.now by the server's clock */
export function SimulatedPeople({ now, people }: { now: string; people: readonly Person[] }) {
  const count = (where: Person['where']) => people.filter((one) => one.where === where).length
  return (
    <>
      <div className="counts mt-4">
        {(['absent', 'verified', 'running', 'submitted'] as const).map((where) => (
          <div key={where}>
            <p className="count">{count(where)}</p>
            <p className="hint">{WHERE[where].toLowerCase()}</p>
          </div>
        ))}
      </div>
      {/* Rows stand in the order of names, and never move under the pointer. */}
      <table className="table mt-2" aria-label="Simulated candidates">
        <thead>
          <tr>
            <th scope="col">Candidate</th>
            <th scope="col">Where</th>
            <th scope="col">Answered</th>
            <th scope="col" className="max-md:hidden">
              Strikes
            </th>
            <th scope="col" className="max-md:hidden">
              Last save
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((one) => (
            <tr key={one.username}>
              <td>{one.username}</td>
              <td>
                {one.submitReason ? REASONS[one.submitReason] : WHERE[one.where]}
                {one.strikes > 0 && (
                  <span className="hint ml-2 md:hidden">
                    {one.strikes} {one.strikes === 1 ? 'strike' : 'strikes'}
                  </span>
                )}
              </td>
              <td>{one.total > 0 && `${one.answered} of ${one.total}`}</td>
              <td className="max-md:hidden">{one.strikes > 0 && one.strikes}</td>
              <td className="max-md:hidden">
                {one.lastSavedAt && `${agoText(Date.parse(now) - Date.parse(one.lastSavedAt))} ago`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
