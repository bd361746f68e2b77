import { expect, it } from 'vitest'
import { leftOutOf, read } from '../../../../../tests/rig/questions/question-files-rig.ts'

it('reads titles, feedback, explanation, escapes, comments and categories', () => {
  const { format, importable } = read(`// a comment
$CATEGORY: $course$/top/Accounting

::Bridge:: Which is \\{right\\}\\: 1 \\= 1 \\~ 2?
{
  // amid the answers
  ~Net debt # of the wrong sign
  =Equity \\# value#yes
  ~one

  ~two
  ####Look at the bridge.
}

Grant is { ~buried =entombed ~living ~away } in a tomb.`)
  expect(format).toBe('gift')
  expect(importable).toEqual([
    {
      place: 'line 4',
      question: 'Which is {right}: 1 = 1 ~ 2?',
      options: { A: 'Net debt', B: 'Equity # value', C: 'one', D: 'two' },
      answer: 'B',
      explanation: 'Look at the bridge.\nA: of the wrong sign\nB: yes',
      topic: 'Accounting',
      notices: [],
    },
    expect.objectContaining({ question: 'Grant is _____ in a tomb.', answer: 'B' }),
  ])
})

it('takes the text out of HTML, by its mark and by its looks', () => {
  const { importable } =
    read(`[html]<p>Is x<sup>2</sup> &lt; 4?</p>{=<b>yes</b> ~no ~maybe ~1 &lt; 2}

Is <b>this</b> bold?{=a ~b ~c ~d}

[plain]Is <b>this</b> plain?{=a ~<i>b</i> ~c ~d}`)
  expect(importable.map(({ question }) => question)).toEqual([
    'Is x² < 4?',
    'Is this bold?',
    'Is <b>this</b> plain?',
  ])
  expect(importable[0]?.options).toMatchObject({ A: 'yes', D: '1 < 2' })
  expect(importable[2]?.options.B).toBe('<i>b</i>')
})

it('leaves out what has no four options and one key, one question at a time', () => {
  const file = `true {T}

false{FALSE#no#yes}

essay {}

number {#3.14:0.01}

typed {=one =two}

pairs {=a->b =c->d =e->f}

three {=a ~b ~c}

five {=a ~b ~c ~d ~e}

half each {~%50%a ~%50%b ~c ~d}

two right {=a =b ~c ~d}

none right {~a ~b ~c ~d}

a text without an answer

not closed {=a ~b ~c ~d

::next:: one {=a ~b ~c ~d}

open and {=a {~b} ~c ~d}

picture <img src="x.png"> {=a ~b ~c ~d}

same {=a ~A ~c ~d}

blank {=a ~ ~c ~d}

one again {=a ~b ~c ~d}

One  AGAIN {=a ~b ~c ~d}`
  expect(leftOutOf(file)).toEqual([
    'line 1: other_kind',
    'line 3: other_kind',
    'line 5: other_kind',
    'line 7: other_kind',
    'line 9: other_kind',
    'line 11: other_kind',
    'line 13: too_few_options',
    'line 15: too_many_options',
    'line 17: several_keys',
    'line 19: several_keys',
    'line 21: no_key',
    'line 23: no_question',
    'line 25: unreadable',
    'line 29: unreadable',
    'line 31: media',
    'line 33: same_options',
    'line 35: empty_text',
    'line 39: same_question',
  ])
  expect(read(file).importable.map(({ place }) => place)).toEqual(['line 27', 'line 37'])
  // A brace is missing: what was read is there for whoever mends it.
  expect(read(file).leftOut.find(({ place }) => place === 'line 25')).toMatchObject({
    question: 'not closed',
    options: [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }],
  })
})

it('says what is lost or worth a look', () => {
  const noticesOf = (file: string) => read(file).importable[0]?.notices
  expect(noticesOf('partly {=a ~%50%b ~c ~d}')).toEqual(['partial_credit'])
  expect(noticesOf('all {=All of the above ~b ~c ~d}')).toEqual(['refers_to_options'])
  expect(noticesOf('tex {=\\\\(x^2\\\\) ~b ~c ~d}')).toEqual(['formula_source'])
  expect(noticesOf('<table><tr><td>1</td></tr></table> {=a ~b ~c ~d}')).toEqual(['layout'])
  expect(noticesOf('<script>alert(1)</script>Why? {=a ~b ~c ~d}')).toEqual(['script'])
})
