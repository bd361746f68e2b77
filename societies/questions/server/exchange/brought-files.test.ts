import { describe, expect, it } from 'vitest'
import { leftOutOf, read } from '../../../../tests/rig/questions/question-files-rig.ts'

// Files as societies bring them, three of each kind: what is read is right, asked about or told.
/** Each question with its key's text, then what is told about it. */
const keysIn = (text: string) =>
  read(text).importable.map(({ question, options, answer, notices }) =>
    [`${question} ${options[answer ?? 'A']}`, ...notices].join(' | '),
  )
const HEADING = 'Question,Option A,Option B,Option C,Option D,Correct\n'
const LIST = (mark: string, answer = '') =>
  `What falls?\n${[...'ABCD'].map((one) => mark.replaceAll('A', one)).join('\n')}\n${answer}`

describe('a list that a member typed', () => {
  it.each([
    ['small letters', LIST('A) is A').toLowerCase(), 'Answer: b'],
    ['letters in brackets', LIST('(A) is A'), 'Correct answer: (B)'],
    ['a key in words', LIST('A) is A'), 'Answer: is B'],
    ['the option behind the letter', LIST('A. is A'), 'Key: B. is B'],
  ])('has its key with %s', (_, list, answer) => {
    expect(
      keysIn(list + answer)
        .join()
        .toLowerCase(),
    ).toBe('what falls? is b')
  })

  it('has its keys as stars, before or behind an option', () => {
    const before = LIST('A) is A').replace('B)', '*B)')
    const behind = LIST('A) is A').replace('is C', 'is C*').replace('What', 'Who')
    expect(keysIn(`${before}\n${behind}`)).toEqual(['What falls? is B', 'Who falls? is C'])
  })

  it.each(['1. B\n2. D', '1-B, 2-D', '1) B 2) D'])('has its keys at the end as %j', (keys) => {
    const list = `1. ${LIST('A) is A')}\n2. ${LIST('A) is A').replace('What', 'Who')}`
    expect(keysIn(`${list}\nAnswer key:\n${keys}\n${'1A('.repeat(40)}x`)).toEqual([
      'What falls? is B | numbering',
      'Who falls? is D | numbering',
    ])
  })

  const numbered = (number: number, who: string) =>
    `${number}. ${LIST('A) is A').replace('What', who)}`

  it('has its keys at the end by section where numbers begin again', () => {
    const list = `Section A\n${numbered(1, 'What')}\n${numbered(2, 'Who')}\nSection B\n${numbered(1, 'Why')}`
    expect(keysIn(`${list}\nAnswers:\nSection A\n1. B\n2. D\nSection B\n1. c`)).toEqual([
      'What falls? is B | numbering',
      'Who falls? is D | numbering',
      'Why falls? is C | numbering',
    ])
    // A key is missing, so which 1 is meant is anybody's guess.
    expect(leftOutOf(`${list}\nAnswers:\n1. B\n2. D`)).toEqual([
      'line 2: no_key',
      'line 15: no_key',
    ])
  })

  it('takes no rate for the number of a question', () => {
    const list = `${LIST('A) is A').replace('What', '3.5% of what')}\n${LIST('A) is A')}\n${LIST('A) is A').replace('What', 'Who')}`
    expect(keysIn(`${list}\nAnswers:\n1. B\n2. C\n3. D`)).toEqual([
      '3.5% of what falls? is B',
      'What falls? is C',
      'Who falls? is D',
    ])
  })

  it.each(['is B (correct)', 'is B ✓', 'is B (Right answer)'])(
    'has its key as a mark behind the option: %s',
    (marked) => {
      expect(keysIn(LIST('A) is A').replace('is B', marked))).toEqual(['What falls? is B'])
    },
  )

  it.each(['**Answer: B**', 'The correct answer is B', 'Correct option - B', 'Ans = b'])(
    'has its key in other words: %s',
    (answer) => {
      expect(keysIn(LIST('A) is A', answer))).toEqual(['What falls? is B'])
    },
  )

  it('whose star and answer differ has two keys', () => {
    const list = LIST('A) is A', 'Answer: C').replace('B)', '*B)')
    expect(leftOutOf(list)).toEqual(['line 1: several_keys'])
  })

  it('may be indented, or numbered with the key in words', () => {
    const indented = LIST('  A. is A', '  ANSWER: B')
    expect(keysIn(indented)).toEqual(['What falls? is B'])
  })

  it('keeps an explanation with its question, and blank lines may be missing', () => {
    const one = LIST('A) is A', 'ANSWER: B\nExplanation: Prices move.\n')
    const two = one + one.replace('What', 'Who').replace('Explanation', 'Rationale')
    const explanations = read(two).importable.map(({ explanation }) => explanation)
    expect(explanations).toEqual(['Prices move.', 'Prices move.'])
  })
})

describe('a table', () => {
  it.each([
    [
      'question,correct_answer,choice_1,choice_2,choice_3\nTwo?,2,3,4,1\nWho?,Bank,Fund,Broker,Insurer',
      'Two? 2,Who? Bank',
    ],
    ['Question,Right answer,Wrong 1,Wrong 2,Wrong 3\nWhich?,Debt,Cash,Land,Tax', 'Which? Debt'],
    ['Stem,Key,Distractor A,Distractor B,Distractor C\nWhich?,p,q,r,s', 'Which? p'],
  ])('whose right answer stands apart gets it as the fourth option: %s', (text, keys) => {
    expect(keysIn(text).join()).toBe(keys)
    expect(read(text).notices).toEqual(['answer_apart'])
  })

  it('asks the same stem twice with other options, and once with the same', () => {
    const rows =
      'True?,Cash,Debt,Tax,Fee,A\nTrue?,Bond,Share,Swap,Fund,B\ntrue?,Debt,cash,Fee,Tax,A'
    expect(keysIn(HEADING + rows)).toEqual(['True? Cash', 'True? Share'])
    expect(leftOutOf(HEADING + rows)).toEqual(['line 4: same_question'])
  })

  it.each([
    ['What does &quot;EV&quot; add?,Debt &amp; cash,b,c,d,A', 'What does "EV" add? Debt & cash'],
    ['Is <b>it</b><br>so?,<i>Yes</i>,b,c,d,A', 'Is it\nso? Yes'],
    ['If x &lt; 5?,x<5,y>2,c,d,A', 'If x < 5? x<5'],
    ['What?,A) 4%,B) 5%,C) 6%,D) 7%,B', 'What? 5% | numbering'],
    ['1. What?,a. one,b. two,c. three,d. four,b. two', 'What? two | numbering'],
    ['What is 3.5 × 2?,A,B,C,D,C', 'What is 3.5 × 2? C'],
  ])('has texts as people read them: %s', (row, read) => {
    expect(keysIn(HEADING + row)).toEqual([read])
  })
})

describe('GIFT', () => {
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
})

describe('XML behind a comment', () => {
  it.each([
    '<!-- <LICENSE> free </LICENSE> -->',
    '<!-- <quiz> -->\n<!-- a -->',
    '<?xml-model href="x"?><!-- <html> -->',
  ])('is known by its own root: %s', (comment) => {
    const choices = [...'ABCD'].map(
      (one) => `<simpleChoice identifier="${one}">is ${one}</simpleChoice>`,
    )
    const item = `<?xml version="1.0"?>\n${comment}\n<assessmentItem><responseDeclaration identifier="R" cardinality="single"><correctResponse><value>B</value></correctResponse></responseDeclaration><itemBody><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>What falls?</prompt>${choices.join('')}</choiceInteraction></itemBody></assessmentItem>`
    expect(keysIn(item)).toEqual(['What falls? is B'])
  })
})

describe('Moodle XML', () => {
  const moodle = (format: string, stem: string) =>
    `<quiz><question type="multichoice"><questiontext format="${format}"><text><![CDATA[${stem}]]></text></questiontext>${[...'ABCD'].map((one, at) => `<answer fraction="${at ? 0 : 100}"><text>${one}</text></answer>`).join('')}</question></quiz>`
  it.each([
    ['html', '<ol type="I"><li>x</li><li>y</li></ol>', 'I. x\n\nII. y A'],
    ['html', '<ol start="9" type="i"><li>x</li><li>y</li></ol>', 'ix. x\n\nx. y A'],
    [
      'html',
      'Which?<ol><li>x<ul><li>z</li></ul></li><li>y</li></ol>',
      'Which?\n\n1. x\n\nz\n\n2. y A',
    ],
    ['html', '<s>5%</s> 8%', '5% 8% A | layout'],
    ['html', 'x <del>5</del>', 'x 5 A | layout'],
    ['moodle_auto_format', 'one\ntwo < 3', 'one\ntwo < 3 A'],
    ['markdown', 'Is it **so**?', 'Is it **so**? A | markdown'],
    ['markdown', 'Is 2 * 3 so?', 'Is 2 * 3 so? A'],
  ])('in %s keeps its lines and numbers or says so: %s', (format, stem, read) => {
    expect(keysIn(moodle(format, stem))).toEqual([read])
  })
})
