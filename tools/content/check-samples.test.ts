import { beforeAll, describe, expect, it } from 'vitest'
import { parseQuestions, readQuestionFiles } from '../../practice/server/content/content.ts'
import { readSampleFiles } from '../../societies/questions/server/authoring/assessment-file.ts'
import { checkBank, checkSamples } from './check.ts'

describe('the check of the sample files', { timeout: 60_000 }, () => {
  let bank: ReturnType<typeof checkBank>['cells']
  beforeAll(async () => {
    bank = checkBank(await readQuestionFiles(), new Map()).cells
  }, 60_000)

  it("accepts the product's sample files", async () => {
    const { problems, samples } = checkSamples(await readSampleFiles(), bank)
    expect(problems).toEqual([])
    expect(samples.map(({ questions }) => questions.length)).toEqual([20, 20, 30])
  })

  it.each<[string, (text: string) => string, RegExp]>([
    [
      'a wrong key',
      (text) => text.replace('answer: D\n    compute: 600', 'answer: C\n    compute: 600'),
      /compute gives 670/,
    ],
    ['no mark', (text) => text.replace('sample: true', 'sample: false'), /must be true/],
    ['another code', (text) => text.replace('code: PCF', 'code: PFC'), /code: must be PCF/],
    [
      'a missing explanation',
      (text) => text.replace(/ {4}explanation: >-\n( {6}.*\n)+/, ''),
      /explanation/,
    ],
    ['a broken head', (text) => text.replace('shuffle: false', 'shuffle: no'), /true or false/],
  ])('finds %s', { tags: ['full'] }, async (_, change, message) => {
    const files = (await readSampleFiles()).map((file) =>
      file.code === 'PCF' ? { ...file, text: change(file.text) } : file,
    )
    const { problems } = checkSamples(files, bank)
    expect(problems.map((problem) => problem.message).join('\n')).toMatch(message)
    expect(new Set(problems.map(({ file }) => file))).toEqual(new Set(['assessments/PCF.yaml']))
  })

  it('finds an item that the practice bank also has', { tags: ['full'] }, async () => {
    const [cell] = await readQuestionFiles()
    const asked = cell && parseQuestions(cell)[0]?.question
    const files = (await readSampleFiles()).map((file) => ({
      ...file,
      text: file.text.replace(
        /(- id: 1\n {4}topic: .*\n {4}hardness: .*\n {4}question:) >-\n( {6}.*\n)+/,
        (_, head) => `${head} ${JSON.stringify(asked)}\n`,
      ),
    }))
    const { problems } = checkSamples(files, bank)
    expect(problems.map(({ message }) => message).join('\n')).toMatch(
      /asks nearly the same as \d+ of questions\//,
    )
  })
})
