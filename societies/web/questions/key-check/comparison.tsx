import { ChevronDown } from 'lucide-react'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { agreement, wordsOf } from '../../../questions/key-check.ts'
import type { ComparedQuestion } from './queries.ts'
import { Settlement } from './settlement.tsx'

/** Every question with its key, and who chose what against it (product 7.9.42). What was chosen otherwise is open. */
export function Comparison({ questions }: { questions: readonly ComparedQuestion[] }) {
  return (
    <section aria-labelledby="compared" className="mt-9">
      <div className="head">
        <h2 id="compared">Answers against the keys</h2>
        <span className="hint">a question that is changed loses its confirmations</span>
      </div>
      <ol>
        {questions.map((one) => (
          <li key={one.itemId} className="border-line border-b">
            <details className="group" open={one.state === 'disputed' || one.state === 'upheld'}>
              <summary className="grid min-h-10.5 cursor-pointer list-none grid-cols-[30px_minmax(0,1fr)_26px_58px_16px] items-center gap-x-3 py-1.5 max-md:min-h-11 md:grid-cols-[30px_minmax(0,1fr)_200px_26px_58px_220px_16px] [&::-webkit-details-marker]:hidden">
                <span className="figures text-ink-2">{one.position}</span>
                <span className="line-clamp-2 min-w-0 break-words">{one.question}</span>
                <span className="break-words text-[12.5px] text-ink-2 empty:hidden max-md:order-1 max-md:col-span-3 max-md:col-start-2 md:truncate md:empty:block">
                  {one.choices.map(({ name, choice }) => `${name} ${choice ?? '–'}`).join(', ')}
                </span>
                <b className="font-semibold">
                  <span className="sr-only">Key </span>
                  {one.key}
                </b>
                <span className="figures whitespace-nowrap">{agreement(one)}</span>
                <span
                  className={`break-words text-[12.5px] max-md:order-2 max-md:col-span-3 max-md:col-start-2 ${toneOf(one)} text-left!`}
                >
                  {wordsOf(one, one.key, one.choices)}
                  {one.outdated > 0 &&
                    `; ${one.outdated === 1 ? 'one person' : `${one.outdated} people`} checked it before it was changed`}
                </span>
                <ChevronDown
                  size={16}
                  aria-hidden
                  className="text-ink-2 group-open:rotate-180 max-md:col-start-5 max-md:row-start-1"
                />
              </summary>
              <div className="grid gap-x-10 gap-y-3 pt-1 pb-4 pl-[42px] md:grid-cols-2">
                <ul className="grid gap-1">
                  {OPTION_LETTERS.map((letter) => {
                    const names = one.choices.filter(({ choice }) => choice === letter)
                    return (
                      <li key={letter} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
                        <b className="font-medium">{letter}</b>
                        <span className="whitespace-pre-line break-words">
                          {one.options[letter]}
                          {letter === one.key && <b className="font-semibold"> · the key</b>}
                          {names.length > 0 && (
                            <span className="text-ink-2">
                              {' '}
                              · {names.map(({ name }) => name).join(', ')}
                            </span>
                          )}
                        </span>
                      </li>
                    )
                  })}
                </ul>
                <div className="grid content-start gap-3">
                  <ul className="grid gap-1.5 empty:hidden">
                    {one.choices
                      .filter(({ comment }) => comment !== '')
                      .map(({ name, comment }) => (
                        <li key={name} className="break-words">
                          <b className="font-medium">{name}:</b>{' '}
                          <span className="whitespace-pre-line">{comment}</span>
                        </li>
                      ))}
                  </ul>
                  <Settlement question={one} />
                </div>
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Amber for what waits for somebody; green is an agreement with the key, not a ruling. */
function toneOf({ state }: ComparedQuestion): string {
  if (state === 'disputed') return 'amber font-[550]'
  return state === 'confirmed' ? 'text-right' : 'text-ink-2'
}
