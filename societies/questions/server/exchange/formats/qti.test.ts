import { expect, it } from 'vitest'
import {
  countOf,
  leftOutOf,
  problemOf,
  read,
  zipOf,
} from '../../../../../tests/rig/questions/question-files-rig.ts'

const choices = (letters: string) =>
  [...letters].map((one) => `<simpleChoice identifier="${one}">${one} text</simpleChoice>`).join('')

const item = (stem: string, interaction: string, response = '<value>b</value>', more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse>${response}</correctResponse></responseDeclaration>
<itemBody><div><p>${stem}</p></div>${interaction}</itemBody>${more}</assessmentItem>`

const choice = (inner: string, most = '1') =>
  `<choiceInteraction responseIdentifier="RESPONSE" maxChoices="${most}"><prompt>Choose.</prompt>${inner}</choiceInteraction>`

it('reads an item of version 2, its feedback and its prompt', () => {
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

it('reads a package in the order of its test, and says of each other item why not', () => {
  const test = `<assessmentTest identifier="t"><testPart><assessmentSection>
    <assessmentItemRef identifier="2" href="items/two.xml"/><assessmentItemRef identifier="1" href="items/one.xml"/>
  </assessmentSection></testPart></assessmentTest>`
  const zip = zipOf({
    'imsmanifest.xml': '<manifest/>',
    'items/one.xml': item('One?', choice(choices('abcd'))),
    'items/two.xml': item('Two?', choice(choices('abcd'))),
    'items/three.xml': item('Three?', choice(choices('abc'))),
    'items/many.xml': item('Many?', choice(choices('abcd'), '0')),
    'items/keyless.xml': item('Keyless?', choice(choices('abcd')), ''),
    'items/essay.xml': item('Essay?', '<extendedTextInteraction responseIdentifier="RESPONSE"/>'),
    'items/typed.xml': item(
      'Typed?',
      '<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>',
    ),
    'items/order.xml': item('Order?', '<orderInteraction responseIdentifier="RESPONSE"/>'),
    'items/hot.xml': item('Hot?', '<hotspotInteraction responseIdentifier="RESPONSE"/>'),
    'items/picture.xml': item('<img src="a.png" alt=""/>', choice(choices('abcd'))),
    'items/maths.xml': item('<math><mi>x</mi></math>', choice(choices('abcd'))),
    'items/cut.xml': item('Cut?', choice(choices('abcd'))).slice(0, -60),
    'items/more.zip': zipOf({ 'a.xml': '<a/>' }),
    'test.xml': test,
    'a.png': new Uint8Array([1, 2, 3]),
    '__MACOSX/items/._one.xml': new Uint8Array([0, 5, 22, 7]),
  })
  const { format, importable, notices } = read(zip)
  expect({ format, notices }).toEqual({ format: 'qti', notices: ['zips_inside'] })
  expect(importable.map(({ place }) => place)).toEqual(['items/two.xml', 'items/one.xml'])
  expect(leftOutOf(zip)).toEqual([
    'items/three.xml: too_few_options',
    'items/many.xml: several_keys',
    'items/keyless.xml: no_key',
    'items/essay.xml: other_kind',
    'items/typed.xml: other_kind',
    'items/order.xml: other_kind',
    'items/hot.xml: other_kind',
    'items/picture.xml: media',
    'items/maths.xml: media',
    'items/cut.xml: unreadable',
  ])
})

const item12 = (
  stem: string,
  options: string,
  conditions: string,
  { cardinality = 'Single', type = '', more = '' } = {},
) => `<item ident="i" title="t"><itemmetadata><qtimetadata>${
  type &&
  `<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>${type}</fieldentry></qtimetadatafield>`
}</qtimetadata></itemmetadata>
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

it('reads version 1.2 as Canvas writes it, with feedback', () => {
  const { format, importable } = read(
    bank(
      item12(
        '&lt;div&gt;What is 1 &amp;lt; 2?&lt;/div&gt;',
        'abcd',
        `${right('c')}<respcondition continue="Yes"><conditionvar><varequal respident="response1">a</varequal></conditionvar><displayfeedback feedbacktype="Response" linkrefid="a_fb"/></respcondition>`,
        {
          type: 'multiple_choice_question',
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

it('tells the kinds of version 1.2 by their name and by their form', () => {
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
        item12('True?', 'ab', right('a'), { type: 'true_false_question' }),
        item12('Many?', 'abcd', right('a'), { cardinality: 'Multiple' }),
        item12('Joined?', 'abcd', both),
        item12('Keyless?', 'abcd', ''),
        item12('Essay?', '', '', { type: 'essay_question' }),
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
    importable: 2,
    other_kind: 3,
    several_keys: 2,
    no_key: 1,
    too_many_options: 1,
    no_question: 1,
    media: 1,
  })
})

it('says what is wrong with a package that has no questions', () => {
  expect(problemOf(zipOf({ 'a.zip': zipOf({ 'b.xml': '<b/>' }) }))).toBe('only_zips')
  expect(problemOf(zipOf({ 'imsmanifest.xml': '<manifest/>', 'a.zip': 'x' }))).toBe('only_zips')
  expect(problemOf(zipOf({ 'imsmanifest.xml': '<manifest/>' }))).toBe('unknown_format')
})
