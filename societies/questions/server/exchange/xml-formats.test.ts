import { expect, it } from 'vitest'
import {
  countOf,
  keysIn,
  leftOutOf,
  problemOf,
  read,
  zipOf,
} from '../../../../tests/rig/questions/question-files-rig.ts'

const answer = (text: string, fraction: number | string, feedback = '') =>
  `<answer fraction="${fraction}" format="html"><text><![CDATA[${text}]]></text><feedback format="html"><text>${feedback}</text></feedback></answer>`

const question = (stem: string, more: string, type = 'multichoice') =>
  `<question type="${type}">
    <name><text>n</text></name>
    <questiontext format="html"><text><![CDATA[${stem}]]></text></questiontext>
    ${more}
  </question>\n`

/** @param first the right one of four answers */
const four = (...first: string[]) =>
  [...first, ...['a', 'b', 'c', 'd'].slice(first.length).map((one) => answer(one, 0))].join('')
const FOUR = four(answer('a', 100))

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
      explanation: 'It is risk.\nA: Yes\nC: No',
      ...{ answer: 'A', topic: 'x', notices: ['partial_credit'] },
    },
  ])
})

it('Moodle XML: other kinds, images and files are left out, each with a reason', () => {
  const kinds = 'truefalse shortanswer numerical matching cloze essay description'.split(' ')
  expect(
    countOf(
      quiz(
        ...kinds.map((kind) => question(`A ${kind}?`, '', kind)),
        question('What is drag?', '', 'ddimageortext'),
        question('<img src="@@PLUGINFILE@@/x.png">', FOUR),
        question('A file?', `${FOUR}<file name="a.mp3" encoding="base64">AAAA</file>`),
        question('Two?', four(answer('a', 50), answer('b', 50))),
        question('Good?', FOUR),
      ),
    ),
  ).toEqual({ importable: 1, no_question: 1, other_kind: 7, media: 2, several_keys: 1 })
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
        four(
          answer('<a href="javascript:x()">a</a>', 100),
          answer('&lt;script&gt;x&lt;/script&gt;', 0),
        ),
      ),
    ),
  )
  // Escaped markup was meant as text and stays text. Every screen escapes it again.
  expect(importable[0]).toMatchObject({
    question: 'Safe?',
    options: { A: 'a', B: '<script>x</script>', D: 'd' },
    notices: ['script'],
  })
})

const choices = (letters: string) =>
  [...letters].map((one) => `<simpleChoice identifier="${one}">${one} text</simpleChoice>`).join('')

const item = (stem: string, interaction: string, response = '<value>b</value>', more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse>${response}</correctResponse></responseDeclaration>
<itemBody><div><p>${stem}</p></div>${interaction}</itemBody>${more}</assessmentItem>`

const choice = (inner: string, most = '1') =>
  `<choiceInteraction responseIdentifier="RESPONSE" maxChoices="${most}"><prompt>Choose.</prompt>${inner}</choiceInteraction>`

it('QTI: reads an item of version 2, its feedback and its prompt', () => {
  const { format, importable } = read(
    item(
      'What is <strong>WACC</strong>?',
      choice(
        `<simpleChoice identifier="a">A rate<feedbackInline identifier="a" outcomeIdentifier="F" showHide="show">no</feedbackInline></simpleChoice>${choices('bcd')}`,
      ),
      undefined,
      '<modalFeedback identifier="b" outcomeIdentifier="F" showHide="show"><p>yes</p></modalFeedback>',
    ),
  )
  expect(format).toBe('qti')
  expect(importable).toEqual([
    {
      place: 'line 2',
      question: 'What is WACC?\n\nChoose.',
      options: { A: 'A rate', B: 'b text', C: 'c text', D: 'd text' },
      answer: 'B',
      explanation: 'A: no\nB: yes',
      notices: [],
    },
  ])
})

const itemsOf = (all: Record<string, Parameters<typeof item>>) =>
  Object.fromEntries(Object.entries(all).map(([name, of]) => [`items/${name}.xml`, item(...of)]))

it('QTI: reads a package in the order of its test, and gives a reason for each other item', () => {
  const test = `<assessmentTest identifier="t"><testPart><assessmentSection>
    <assessmentItemRef identifier="2" href="items/two.xml"/><assessmentItemRef identifier="1" href="items/one.xml"/>
  </assessmentSection></testPart></assessmentTest>`
  const zip = zipOf({
    'imsmanifest.xml': '<manifest/>',
    ...itemsOf({
      one: ['One?', choice(choices('abcd'))],
      two: ['Two?', choice(choices('abcd'))],
      three: ['Three?', choice(choices('abc'))],
      many: ['Many?', choice(choices('abcd'), '0')],
      keyless: ['Keyless?', choice(choices('abcd')), ''],
      essay: ['Essay?', '<extendedTextInteraction responseIdentifier="RESPONSE"/>'],
      typed: ['Typed?', '<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>'],
      order: ['Order?', '<orderInteraction responseIdentifier="RESPONSE"/>'],
      hot: ['Hot?', '<hotspotInteraction responseIdentifier="RESPONSE"/>'],
      picture: ['<img src="a.png" alt=""/>', choice(choices('abcd'))],
      maths: ['<math><mi>x</mi></math>', choice(choices('abcd'))],
    }),
    'items/cut.xml': item('Cut?', choice(choices('abcd'))).slice(0, -60),
    'items/more.zip': zipOf({ 'a.xml': '<a/>' }),
    'test.xml': test,
    'a.png': new Uint8Array([1, 2, 3]),
    '__MACOSX/items/._one.xml': new Uint8Array([0, 5, 22, 7]),
  })
  const { format, importable, notices } = read(zip)
  expect({ format, notices }).toEqual({ format: 'qti', notices: ['zips_inside'] })
  expect(importable.map(({ place }) => place)).toEqual(['items/two.xml', 'items/one.xml'])
  const others = 'three: too_few_options, many: several_keys, keyless: no_key, essay: other_kind'
  const more = 'typed: other_kind, order: other_kind, hot: other_kind, picture: media, maths: media'
  expect(
    leftOutOf(zip)
      .join(', ')
      .replaceAll(/items\/|\.xml/g, ''),
  ).toBe(`${others}, ${more}, cut: unreadable`)
})

const item12 = (
  stem: string,
  options: string,
  conditions: string,
  { cardinality = 'Single', more = '' } = {},
) => `<item ident="i" title="t"><itemmetadata/>
<presentation><material><mattext texttype="text/html">${stem}</mattext></material>
<response_lid ident="response1" rcardinality="${cardinality}"><render_choice>${[...options]
  .map(
    (one) =>
      `<response_label ident="${one}"><material><mattext texttype="text/plain">${one} text</mattext></material></response_label>`,
  )
  .join('')}</render_choice></response_lid></presentation>
<resprocessing><outcomes><decvar maxvalue="100"/></outcomes>${conditions}</resprocessing>${more}</item>`

const right = (ident: string, points: number | string = 100, link = '') =>
  `<respcondition continue="No"><conditionvar><varequal respident="response1">${ident}</varequal></conditionvar><setvar action="Set" varname="SCORE">${points}</setvar>${link}</respcondition>`

const bank = (...items: string[]) =>
  `<?xml version="1.0"?><!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2.dtd">
<questestinterop><assessment><section>${items.join('\n')}</section></assessment></questestinterop>`

it('QTI: reads version 1.2 as Canvas writes it, with feedback', () => {
  const { format, importable } = read(
    bank(
      item12(
        '&lt;div&gt;What is 1 &amp;lt; 2?&lt;/div&gt;',
        'abcd',
        `${right('c')}<respcondition continue="Yes"><conditionvar><varequal respident="response1">a</varequal></conditionvar><displayfeedback feedbacktype="Response" linkrefid="a_fb"/></respcondition>`,
        {
          more: '<itemfeedback ident="a_fb"><flow_mat><material><mattext>too small</mattext></material></flow_mat></itemfeedback><itemfeedback ident="general_fb"><material><mattext>compare</mattext></material></itemfeedback>',
        },
      ),
    ),
  )
  expect(format).toBe('qti')
  expect(importable).toEqual([
    {
      place: 'line 2',
      question: 'What is 1 < 2?',
      options: { A: 'a text', B: 'b text', C: 'c text', D: 'd text' },
      answer: 'C',
      explanation: 'compare\nA: too small',
      notices: [],
    },
  ])
})

it('QTI: recognizes the kinds of version 1.2 by their form', () => {
  const both =
    '<respcondition><conditionvar><and><varequal respident="r">a</varequal><not><varequal respident="r">b</varequal></not></and></conditionvar><setvar>100</setvar></respcondition>'
  expect(
    countOf(
      bank(
        item12(
          'One?',
          'abcd',
          `${right('a', 'SCORE.max')}<respcondition><conditionvar><not><varequal respident="r">b</varequal></not></conditionvar><setvar>100</setvar></respcondition>`,
        ),
        item12('Partly?', 'abcd', `${right('a')}${right('b', 50)}`),
        item12('True?', 'ab', right('a')).replace('a text', 'True').replace('b text', 'False'),
        item12('Many?', 'abcd', right('a'), { cardinality: 'Multiple' }),
        item12('Joined?', 'abcd', both),
        item12('Keyless?', 'abcd', ''),
        item12('Five?', 'abcde', right('a')),
        '<item><presentation><material><mattext>Typed?</mattext></material><response_str><render_fib/></response_str></presentation></item>',
        '<item><presentation><material><mattext>Text</mattext></material></presentation></item>',
        item12('Picture?', 'abcd', right('a')).replace(
          '</material>',
          '<matimage uri="x.png"/></material>',
        ),
      ),
    ),
  ).toEqual({
    ...{ importable: 2, other_kind: 2, several_keys: 2, no_key: 1, too_many_options: 1 },
    ...{ no_question: 1, media: 1 },
  })
})

it('QTI: reports what is wrong with a package without questions', () => {
  expect(problemOf(zipOf({ 'a.zip': zipOf({ 'b.xml': '<b/>' }) }))).toBe('only_zips')
  expect(problemOf(zipOf({ 'imsmanifest.xml': '<manifest/>', 'a.zip': 'x' }))).toBe('only_zips')
  expect(problemOf(zipOf({ 'imsmanifest.xml': '<manifest/>' }))).toBe('unknown_format')
})

it.each([
  '<!-- <LICENSE> free </LICENSE> -->',
  '<!-- <quiz> -->\n<!-- a -->',
  '<?xml-model href="x"?><!-- <html> -->',
])('XML after a comment is recognized by its own root: %s', (comment) => {
  const file = item('What falls?', choice(choices('abcd')))
  expect(keysIn(file.replace('\n', `\n${comment}\n`))).toEqual(['What falls?\n\nChoose. b text'])
})

it.each([
  ['html', '<ol type="I"><li>x</li><li>y</li></ol>', 'I. x\n\nII. y a'],
  ['html', '<ol start="9" type="i"><li>x</li><li>y</li></ol>', 'ix. x\n\nx. y a'],
  [
    'html',
    'Which?<ol><li>x<ul><li>z</li></ul></li><li>y</li></ol>',
    'Which?\n\n1. x\n\nz\n\n2. y a',
  ],
  ['html', '<s>5%</s> 8%', '5% 8% a | layout'],
  ['html', 'x <del>5</del>', 'x 5 a | layout'],
  ['moodle_auto_format', 'one\ntwo < 3', 'one\ntwo < 3 a'],
  ['markdown', 'Is it **so**?', 'Is it **so**? a | markdown'],
  ['markdown', 'Is 2 * 3 so?', 'Is 2 * 3 so? a'],
])('Moodle XML in %s keeps its lines and numbers or reports the loss: %s', (format, stem, read) => {
  expect(keysIn(quiz(question(stem, FOUR)).replace('html', format))).toEqual([read])
})
