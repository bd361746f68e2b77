import { Link } from 'react-router'
import { useAboutWay, WAYS } from '../practice.tsx'

/** What there is besides tests of ten, from 900 px up; on phones the bar leads to /practice (product 1.7.12). */
export function OtherWays() {
  const aboutWay = useAboutWay()
  return (
    <nav aria-label="More ways to practice" className="mt-14 max-nav:hidden">
      <h2 className="border-ink border-b pb-3">More ways to practice</h2>
      <ul className="grid grid-cols-3 gap-x-10">
        {Object.values(WAYS)
          .flat()
          .map((way) => (
            <li key={way[0]} className="border-line border-b">
              <Link
                to={way[0]}
                className="flex min-h-[52px] flex-wrap items-baseline gap-x-3 py-3.5 hover:underline hover:underline-offset-4"
              >
                <span className="font-medium">{way[1]}</span>
                <span className="hint">{aboutWay(way)}</span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}
