import { useId } from 'react'
import { listed } from '../../publication.ts'
import { type Sessions, signed } from './comparison-words.ts'

const OTHERS = { form: 'the other form', session: 'the other session', room: 'the other rooms' }

/** Questions that are harder for a form, a session or a room than for equally able people elsewhere. */
export function FavouredSection({ favoured }: { favoured: Sessions['favoured'] }) {
  const id = useId()
  // Rooms that are too small say the same thing, and say it once.
  const small = favoured.filter(({ group, whyHidden }) => group === 'room' && whyHidden)
  const told = small.length > 1 ? favoured.filter((one) => !small.includes(one)) : favoured
  return (
    <section aria-labelledby={id} className="mb-9">
      <div className="head">
        <h2 id={id}>Questions that favour a group</h2>
        <span className="hint">people of the same score are compared</span>
      </div>
      <ul className="grid max-w-[92ch] gap-2 py-3">
        {told.map((one) => (
          <li key={`${one.group} ${one.name}`}>
            <b className="font-[550]">{one.name}.</b> {wordsOf(one)}
            {one.questions.length > 0 && (
              <ul className="mt-1 grid gap-1">
                {one.questions.map(({ number, question, letter, delta }) => (
                  <li key={number} className="figures">
                    <span className={letter === 'C' ? 'amber font-medium' : ''}>
                      Question {number} is {letter === 'C' ? 'much' : 'somewhat'}{' '}
                      {delta < 0 ? 'harder' : 'easier'} here
                    </span>{' '}
                    <span className="text-ink-2">
                      ({letter}, {signed(delta)}): {question}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {small.length > 1 && (
          <li>
            <b className="font-[550]">{listed(small.map(({ name }) => name))}.</b>{' '}
            {small[0]?.whyHidden}
          </li>
        )}
      </ul>
      <p className="hint max-w-[92ch]">
        A letter is a reason to read the question, no verdict on it; in small groups it misses much.
        What people are is not held, and never compared.
      </p>
    </section>
  )
}

function wordsOf({ whyHidden, group, comparedCount, questions }: Sessions['favoured'][number]) {
  if (whyHidden) return whyHidden
  if (questions.length > 0) return `Of ${comparedCount} questions compared:`
  return `None of ${comparedCount} questions stands out against ${OTHERS[group]}.`
}
