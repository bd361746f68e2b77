import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import { isStorable } from '../../../platform/server/storable.ts'
import { bytesOf } from '../../../tests/rig/questions/question-files-rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import { WRITTEN_FORMATS } from '../../questions/written-formats.ts'
import { normaliseStem } from '../../questions/written-question.ts'
import { tidy } from './files/plain-text.ts'
import type { Question } from './question.ts'
import { readQuestions } from './read-questions.ts'
import { writeQuestions } from './write-questions.ts'

/** What formats give a meaning to, alone and beside each other. */
const ODD = [
  '{',
  '}',
  '~',
  '=',
  '#',
  ':',
  '::',
  '####',
  '\\',
  '\\n',
  '\\\\',
  '->',
  '%50%',
  '%',
  '$CATEGORY: x',
  '//',
  '[html]',
  '[plain]',
  '[',
  ']',
  '&',
  '&amp;',
  '&lt;',
  '<',
  '>',
  '<b>',
  '</p>',
  '<br/>',
  '<img src="x">',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '<?xml?>',
  '&#65;',
  '&nbsp;',
  'A.',
  'B) ',
  'ANSWER: C',
  'TRUE',
  'T',
  '"',
  "'",
  "'=1",
  ',',
  ';',
  '\t',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '=1+1',
  '@x',
  '+',
  '-',
  '|',
  'é',
  'ß',
  '日本',
  '🎓',
  '\u0301',
  'שלום',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\u2028',
  '10%',
  '0.10',
  'x²',
  '1/2',
  '✓',
  '\u00ad',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    minLength: 1,
    maxLength: 7,
  })
  .map((parts) => tidy(parts.join('')))
  .filter((one) => one !== '' && isStorable(one) && showControls(one) === one)
const maybe = fc.option(text, { nil: '' })

const question: fc.Arbitrary<Question> = fc
  .record({
    question: text,
    options: fc.record({ A: text, B: text, C: text, D: text }),
    answer: fc.constantFrom(...OPTION_LETTERS),
    explanation: maybe,
    why: fc.record({ A: text, B: text, C: text, D: text }, { requiredKeys: [] }),
  })
  .filter(({ options }) => {
    const texts = OPTION_LETTERS.map((letter) => options[letter].toLowerCase())
    return new Set(texts).size === 4
  })
const questions = fc.uniqueArray(question, {
  minLength: 1,
  maxLength: 4,
  selector: ({ question: stem }) => normaliseStem(stem),
})

/** What a format holds besides question, options and key. */
const HOLDS = {
  gift: { explanation: true, why: true },
  moodle: { explanation: true, why: true },
  qti3: { explanation: true, why: true },
  csv: { explanation: true, why: false },
  aiken: { explanation: false, why: false },
}

it.each(WRITTEN_FORMATS)(
  'questions written as %s are detected and read back unchanged',
  (format) => {
    let writtenCount = 0
    fc.assert(
      fc.property(questions, (all) => {
        const { content, count, leftOut } = writeQuestions(all, format)
        expect(count + leftOut.length).toBe(all.length)
        writtenCount += count
        if (count === 0) return
        const read = readQuestions(bytesOf(content))
        const not = new Set(leftOut.map(({ position }) => position))
        const { explanation, why } = HOLDS[format]
        expect(read.leftOut).toEqual([])
        expect(read.importable.map(({ place: _, notices: __, ...one }) => one)).toEqual(
          all
            .filter((_, index) => !not.has(index + 1))
            .map((one) => ({
              ...one,
              explanation: explanation ? one.explanation : '',
              why: why ? one.why : {},
            })),
        )
        expect(read.format).toBe(format)
      }),
      { numRuns: sized(300, 60), seed: 20261125 },
    )
    // Aiken has no escapes; the others hold everything.
    expect(writtenCount).toBeGreaterThan(sized(300, 60))
  },
)

it('only Aiken leaves questions out, those it cannot express', () => {
  const base: Question = {
    question: 'Why?',
    options: { A: 'a', B: 'b', C: 'c', D: 'd' },
    answer: 'A',
    explanation: '',
    why: {},
  }
  const odd: Question[] = [
    { ...base, question: 'Two\nlines?' },
    { ...base, question: 'B. is what?' },
    { ...base, question: 'Answer: what?' },
    { ...base, question: 'A\n\ngap?' },
    { ...base, options: { ...base.options, C: 'two\nlines' } },
  ]
  expect(writeQuestions(odd, 'aiken').leftOut.map(({ position }) => position)).toEqual([2, 3, 4, 5])
  for (const format of ['gift', 'moodle', 'qti3', 'csv'] as const) {
    expect(writeQuestions(odd, format).leftOut).toEqual([])
  }
})
