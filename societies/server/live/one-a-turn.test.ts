import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { oneATurn } from './one-a-turn.ts'

it('lets what comes in between go before the rest of those who came at once', async () => {
  const myTurn = oneATurn()
  const done: string[] = []
  const three = Promise.all(
    ['first', 'second', 'third'].map((name) => myTurn().then(() => done.push(name))),
  )
  await nextTurn()
  await nextTurn()
  done.push('a save')
  await three
  expect(done.indexOf('a save')).toBeLessThan(done.indexOf('third'))
  expect(done.filter((name) => name !== 'a save')).toEqual(['first', 'second', 'third'])
})

it('goes on at once for who comes alone', async () => {
  const myTurn = oneATurn()
  await myTurn()
  let isDone = false
  void myTurn().then(() => {
    isDone = true
  })
  await nextTurn()
  await nextTurn()
  expect(isDone).toBe(true)
})
