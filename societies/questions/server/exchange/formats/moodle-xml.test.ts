import { expect, it } from 'vitest'
import { countOf, leftOutOf, read } from '../../../../../tests/rig/questions/question-files-rig.ts'

const answer = (text: string, fraction: number | string, feedback = '') =>
  `<answer fraction="${fraction}" format="html"><text><![CDATA[${text}]]></text><feedback format="html"><text>${feedback}</text></feedback></answer>`

const question = (stem: string, more: string, type = 'multichoice') =>
  `<question type="${type}">
    <name><text>n</text></name>
    <questiontext format="html"><text><![CDATA[${stem}]]></text></questiontext>
    ${more}
  </question>\n`

const FOUR = [answer('a', 100), answer('b', 0), answer('c', 0), answer('d', 0)].join('')

const quiz = (...questions: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${questions.join('')}</quiz>`

it('Moodle XML: multiple choice is read with its feedback as plain text', () => {
  const { format, importable, leftOut } = read(
    quiz(
      '<question type="category"><category><text>$course$/x</text></category></question>\n',
      question(
        '<p dir="ltr">What is <em>beta</em>&nbsp;&amp; why?<br>Say.</p><ul><li>one</li></ul>',
        `<generalfeedback format="html"><text>&lt;p&gt;It is risk.&lt;/p&gt;</text></generalfeedback>
        <single>true</single>${answer('<p>Risk</p>', '100', '&lt;b&gt;Yes&lt;/b&gt;')}${answer('Return', '33.33333')}${answer('Cash', '-33.33333', 'No')}${answer('CO<sub>2</sub>', 0)}`,
      ),
    ),
  )
  expect({ format, leftOut }).toEqual({ format: 'moodle', leftOut: [] })
  expect(importable).toEqual([
    {
      place: 'line 4',
      question: 'What is beta & why?\nSay.\n\none',
      options: { A: 'Risk', B: 'Return', C: 'Cash', D: 'CO₂' },
      answer: 'A',
      explanation: 'It is risk.\nA: Yes\nC: No',
      topic: 'x',
      notices: ['partial_credit'],
    },
  ])
})

it('Moodle XML: other kinds, images and files are left out, each with a reason', () => {
  const kinds = [
    'truefalse',
    'shortanswer',
    'numerical',
    'matching',
    'cloze',
    'essay',
    'description',
  ]
  expect(
    countOf(
      quiz(
        ...kinds.map((kind) => question(`A ${kind}?`, '', kind)),
        question('What is drag?', '', 'ddimageortext'),
        question('<img src="@@PLUGINFILE@@/x.png">', FOUR),
        question('A file?', `${FOUR}<file name="a.mp3" encoding="base64">AAAA</file>`),
        question('Two?', `${answer('a', 50)}${answer('b', 50)}${answer('c', 0)}${answer('d', 0)}`),
        question('Good?', FOUR),
      ),
    ),
  ).toEqual({
    importable: 1,
    no_question: 1,
    other_kind: 7,
    media: 2,
    several_keys: 1,
  })
})

it('Moodle XML: a truncated file keeps its complete questions', () => {
  const file = quiz(question('Good?', FOUR), question('Cut?', FOUR))
  const { importable, notices } = read(file.slice(0, file.lastIndexOf('<answer')))
  expect(importable.map(({ question: stem }) => stem)).toEqual(['Good?'])
  expect(notices).toEqual(['broken_off'])
})

it('Moodle XML: HTML is never kept', () => {
  const evil = `<img src=x onerror=alert(1)><p>Safe?</p>`
  expect(leftOutOf(quiz(question(evil, FOUR)))).toEqual(['line 3: media'])
  const { importable } = read(
    quiz(
      question(
        '<p onclick="x()">Safe?<script>alert(1)</script><style>p{}</style><!-- no --></p><iframe src="//evil">in</iframe>',
        `${answer('<a href="javascript:x()">a</a>', 100)}${answer('&lt;script&gt;x&lt;/script&gt;', 0)}${answer('c', 0)}${answer('d', 0)}`,
      ),
    ),
  )
  // What was escaped was meant as text, and stays text: every screen escapes it again.
  expect(importable[0]).toMatchObject({
    question: 'Safe?',
    options: { A: 'a', B: '<script>x</script>', D: 'd' },
    notices: ['script'],
  })
})
