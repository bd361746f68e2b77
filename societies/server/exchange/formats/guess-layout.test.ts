import { expect, it } from 'vitest'
import { guessLayout } from './guess-layout.ts'

const rowsOf = (text: string) => text.split('\n').map((line) => line.split(';'))

it('the guessed layout takes no option heading for the question, and a repeating column as the topic', () => {
  const layout = guessLayout(
    rowsOf(`Nr;Frage;Antwort 1;Antwort 2;Antwort 3;Antwort 4;Richtig;Thema
1;What does EBITDA leave out of earnings?;Taxes;Interest and more;Revenue;Wages;2;Accounting
2;If sales grow from 200 to 250, by how much did they grow?;20%;25%;50%;12.5%;2;Mental math
3;Which statement shows what a company owns?;Income;Balance sheet;Cash flow;Letter;2;Accounting
4;What is 15% of 240?;24;36;30;42;B;Mental math
5;What does beta measure?;The market;A bond;A debt;A fee;1;Markets
6;What is the yield of a share at 50 that pays 2?;2%;4%;25%;1%;2;Markets`),
  )
  expect(layout).toEqual({
    skip: 1,
    columns: { question: 1, a: 2, b: 3, c: 4, d: 5, correct: 6, topic: 7 },
  })
})
