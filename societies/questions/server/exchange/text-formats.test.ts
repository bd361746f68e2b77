import { describe, expect, it } from 'vitest'
import { keysIn, leftOutOf, read } from '../../../../tests/rig/questions/question-files-rig.ts'

/** @param letters of the options, each as 'A. a' */
const aiken = (stem: string, letters = 'ABCD', answer = 'A') =>
  [
    stem,
    ...[...letters].map((one) => `${one}. ${one.toLowerCase()}`),
    answer && `ANSWER: ${answer}`,
  ]
    .filter(Boolean)
    .join('\n')

describe('Aiken', () => {
  it('has questions with four options and one key, in both spellings of options', () => {
    const { format, importable } = read(
      `${aiken('What is EBITDA before?')}\n\nA balance sheet\nhas sides?\nA) One\nB) Two\nC) Three\nD) Four\nANSWER: B`,
    )
    expect(format).toBe('list')
    expect(importable).toEqual([
      {
        place: 'line 1',
        question: 'What is EBITDA before?',
        options: { A: 'a', B: 'b', C: 'c', D: 'd' },
        ...{ answer: 'A', explanation: '', notices: [] },
      },
      expect.objectContaining({
        ...{ place: 'line 8', question: 'A balance sheet\nhas sides?', answer: 'B' },
      }),
    ])
  })

  it('continues after a broken question, and names each with its line', () => {
    const file = [
      aiken('No options here', ''),
      aiken(''),
      aiken('No answer', 'ABCD', ''),
      aiken('Another key than options?', 'ABCD', 'F'),
      aiken('Two keys?', 'ABCD', 'A, C'),
      aiken('Three options?', 'ABC'),
      aiken('A letter left out?', 'ACDE'),
      aiken('What is EBITDA before?'),
      'ANSWER: B',
      'A line at the end',
    ].join('\n\n')
    const reasons = '1 too_few_options, 4 empty_text, 10 no_key, 16 unknown_key, 23 several_keys, '
    const more = '30 too_few_options, 36 unreadable, 50 unreadable, 52 no_question'
    const found = leftOutOf(file).map((one) => one.replace(/^line (\d+):/, '$1'))
    expect(found.join(', ')).toBe(reasons + more)
    expect(read(file).importable).toHaveLength(1)
  })

  it('has options without a space after their letter, and no stem that starts like that', () => {
    const { importable, leftOut } = read(
      'U.S. bonds pay\nA)twice a year\nB)Once a year\nC)never\nD)C.O.D.\nANSWER: A\n\nA question that stops\nA)one\nB)two\n\nThe next one\nA.one\nB.two\nC.three\nD.four\nANSWER: D',
    )
    expect(importable).toMatchObject([
      { question: 'U.S. bonds pay', options: { A: 'twice a year', D: 'C.O.D.' }, answer: 'A' },
      { question: 'The next one', options: { A: 'one', D: 'four' }, answer: 'D' },
    ])
    // Both options can be fixed; the member types the missing ones.
    const options = [{ text: 'one' }, { text: 'two' }]
    expect(leftOut).toMatchObject([{ place: 'line 8', reason: 'no_key', options }])
  })
})

describe('GIFT', () => {
  it('has titles, feedback, explanation, escapes, comments and categories', () => {
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
        ...{ topic: 'Accounting', notices: [] },
      },
      expect.objectContaining({ question: 'Grant is _____ in a tomb.', answer: 'B' }),
    ])
  })

  it('with weights below 0 and a category has one key', () => {
    const file =
      '// question: 0\n$CATEGORY: $course$/top/Bonds\n\n<b>BONDS</b><br><br>\nWhat falls? {\n=Prices\n~%-33.33333%Coupons\n~%-33.33333%Value\n~%-33.33333%Terms\n#### FEEDBACK:<br>Why\n}'
    expect(read(file).importable).toMatchObject([
      {
        question: 'BONDS\n\nWhat falls?',
        answer: 'A',
        topic: 'Bonds',
        explanation: 'FEEDBACK:\nWhy',
      },
    ])
  })

  it('has text in HTML, by its mark and by its looks', () => {
    const { importable } = read(
      `[html]<p>Is x<sup>2</sup> &lt; 4?</p>{=<b>yes</b> ~no ~maybe ~1 &lt; 2}

Is <b>this</b> bold?{=a ~b ~c ~d}

[plain]Is <b>this</b> plain?{=a ~<i>b</i> ~c ~d}`,
    )
    expect(importable.map(({ question }) => question)).toEqual([
      ...['Is x² < 4?', 'Is this bold?', 'Is <b>this</b> plain?'],
    ])
    expect(importable[0]?.options).toMatchObject({ A: 'yes', D: '1 < 2' })
    expect(importable[2]?.options.B).toBe('<i>b</i>')
  })

  it('skips each question without four options and one key', () => {
    const cases: [question: string, reason: string | null][] = [
      ['true {T}', 'other_kind'],
      ['false{FALSE#no#yes}', 'other_kind'],
      ['essay {}', 'other_kind'],
      ['number {#3.14:0.01}', 'other_kind'],
      ['typed {=one =two}', 'other_kind'],
      ['pairs {=a->b =c->d =e->f}', 'other_kind'],
      ['three {=a ~b ~c}', 'too_few_options'],
      ['five {=a ~b ~c ~d ~e}', 'too_many_options'],
      ['half each {~%50%a ~%50%b ~c ~d}', 'several_keys'],
      ['two right {=a =b ~c ~d}', 'several_keys'],
      ['none right {~a ~b ~c ~d}', 'no_key'],
      ['a text without an answer', 'no_question'],
      ['not closed {=a ~b ~c ~d', 'unreadable'],
      ['::next:: one {=a ~b ~c ~d}', null],
      ['open and {=a {~b} ~c ~d}', 'unreadable'],
      ['picture <img src="x.png"> {=a ~b ~c ~d}', 'media'],
      ['same {=a ~A ~c ~d}', 'same_options'],
      ['blank {=a ~ ~c ~d}', 'empty_text'],
      ['one again {=a ~b ~c ~d}', null],
      ['One  AGAIN {=a ~b ~c ~d}', 'same_question'],
    ]
    const file = cases.map(([question]) => question).join('\n\n')
    expect(leftOutOf(file)).toEqual(
      cases.flatMap(([, reason], at) => (reason ? `line ${2 * at + 1}: ${reason}` : [])),
    )
    expect(read(file).importable.map(({ place }) => place)).toEqual(['line 27', 'line 37'])
    // The brace is missing, so the parts that were read can be fixed.
    expect(read(file).leftOut.find(({ place }) => place === 'line 25')).toMatchObject({
      question: 'not closed',
      options: [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }],
    })
  })

  it.each([
    ['partly {=a ~%50%b ~c ~d}', 'partial_credit'],
    ['all {=All of the above ~b ~c ~d}', 'refers_to_options'],
    ['tex {=\\\\(x^2\\\\) ~b ~c ~d}', 'formula_source'],
    ['<table><tr><td>1</td></tr></table> {=a ~b ~c ~d}', 'layout'],
    ['<script>alert(1)</script>Why? {=a ~b ~c ~d}', 'script'],
  ])('reports what is lost or needs a check: %s', (file, notice) => {
    expect(read(file).importable[0]?.notices).toEqual([notice])
  })
})

const LIST = (mark: string, answer = '') =>
  `What falls?\n${[...'ABCD'].map((one) => mark.replaceAll('A', one)).join('\n')}\n${answer}`

describe('a list that a member typed', () => {
  const numbered = (number: number, who: string) =>
    `${number}. ${LIST('A) is A').replace('What', who)}`

  it.each([
    ['small letters', LIST('A) is A', 'Answer: b').toLowerCase(), 'what falls? is b'],
    ['letters in brackets', LIST('(A) is A', 'Correct answer: (B)')],
    ['a key in words', LIST('A) is A', 'Answer: is B')],
    ['the option behind the letter', LIST('A. is A', 'Key: B. is B')],
    ['a blank before each line', LIST('  A. is A', '  ANSWER: B')],
    ['a star before an option', LIST('A) is A').replace('B)', '*B)')],
    ['a star behind an option', LIST('A) is A').replace('is B', 'is B*')],
    ...['(correct)', '✓', '(Right answer)'].map((mark) => [
      mark,
      LIST('A) is A').replace('is B', `is B ${mark}`),
    ]),
    ...['**Answer: B**', 'The correct answer is B', 'Correct option - B', 'Ans = b'].map(
      (words) => [words, LIST('A) is A', words)],
    ),
  ])('has its key with %s', (_, list = '', key = 'What falls? is B') => {
    expect(keysIn(list)).toEqual([key])
  })

  it.each(['1. B\n2. D', '1-B, 2-D', '1) B 2) D'])('has its keys at the end as %j', (keys) => {
    const list = `${numbered(1, 'What')}\n${numbered(2, 'Who')}`
    expect(keysIn(`${list}\nAnswer key:\n${keys}\n${'1A('.repeat(40)}x`)).toEqual([
      'What falls? is B | numbering',
      'Who falls? is D | numbering',
    ])
  })

  it('has its keys at the end by section if numbers restart', () => {
    const list = `Section A\n${numbered(1, 'What')}\n${numbered(2, 'Who')}\nSection B\n${numbered(1, 'Why')}`
    expect(keysIn(`${list}\nAnswers:\nSection A\n1. B\n2. D\nSection B\n1. c`)).toEqual([
      'What falls? is B | numbering',
      'Who falls? is D | numbering',
      'Why falls? is C | numbering',
    ])
    // A key is missing, so it's unclear which question 1 it belongs to.
    expect(leftOutOf(`${list}\nAnswers:\n1. B\n2. D`)).toEqual([
      'line 2: no_key',
      'line 15: no_key',
    ])
  })

  it('does not mistake a rate for a question number', () => {
    const list = `${LIST('A) is A').replace('What', '3.5% of what')}\n${LIST('A) is A')}\n${LIST('A) is A').replace('What', 'Who')}`
    expect(keysIn(`${list}\nAnswers:\n1. B\n2. C\n3. D`)).toEqual([
      '3.5% of what falls? is B',
      'What falls? is C',
      'Who falls? is D',
    ])
  })

  it('has two keys if its star and answer differ', () => {
    const list = LIST('A) is A', 'Answer: C').replace('B)', '*B)')
    expect(leftOutOf(list)).toEqual(['line 1: several_keys'])
  })

  it('keeps an explanation with its question, and blank lines may be missing', () => {
    const one = LIST('A) is A', 'ANSWER: B\nExplanation: Prices move.\n')
    const two = one + one.replace('What', 'Who').replace('Explanation', 'Rationale')
    const explanations = read(two).importable.map(({ explanation }) => explanation)
    expect(explanations).toEqual(['Prices move.', 'Prices move.'])
  })
})
