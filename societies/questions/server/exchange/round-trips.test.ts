import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { showControls } from '../../../../platform/server/control-characters.ts'
import { isStorable } from '../../../../platform/server/storable.ts'
import { read } from '../../../../tests/rig/questions/question-files-rig.ts'
import { sized } from '../../../../tests/setup/size.ts'
import { WRITTEN_FORMATS } from '../../question-files.ts'
import { normaliseStem, type WrittenQuestion } from '../../written-question.ts'
import { writeQuestions } from './export-questions.ts'
import { tidy } from './files/plain-text.ts'

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

const question: fc.Arbitrary<WrittenQuestion> = fc
  .record({
    question: text,
    options: fc.record({ A: text, B: text, C: text, D: text }),
    answer: fc.constantFrom(...OPTION_LETTERS),
    explanation: maybe,
    form: fc.constant(null),
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

it.each(WRITTEN_FORMATS)(
  'questions written as %s are detected and read back unchanged',
  (format) => {
    fc.assert(
      fc.property(questions, (all) => {
        const found = read(writeQuestions(all, format))
        expect(found.leftOut).toEqual([])
        expect(found.importable.map(({ place: _, notices: __, ...one }) => one)).toEqual(
          all.map(({ form: _, ...one }) => one),
        )
        expect(found.format).toBe(format === 'csv' ? 'table' : format)
      }),
      { numRuns: sized(300, 60), seed: 20261125 },
    )
  },
)
