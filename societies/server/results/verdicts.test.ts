import { describe, expect, it } from 'vitest'
import { describeVerdict } from './dossier-text.ts'
import { judgeEvents } from './verdicts.ts'

describe('the reason an event counted', () => {
  const event = (id: number, kind: string, atMs: number, isViolation = false) => ({
    id,
    kind,
    atMs,
    isViolation,
    isVoided: false,
    voidReason: null,
  })

  it('is given for each event, with its strike number', () => {
    const verdicts = judgeEvents(
      [
        event(1, 'ready', 0),
        event(2, 'window_blur', 10_000, true),
        event(3, 'page_hidden', 10_050),
        event(4, 'page_visible', 12_000),
        event(5, 'shortcut', 20_000, true),
        event(6, 'copy', 20_010),
        { ...event(7, 'paste', 30_000, true), isVoided: true, voidReason: 'alarm' },
        event(8, 'cut', 40_000, true),
        event(9, 'context_menu', 50_000),
      ],
      ['cut'],
    )
    expect([...verdicts].map(([id, verdict]) => [id, describeVerdict(verdict)])).toEqual([
      [1, 'recorded, never counted'],
      [2, 'counted: strike 1'],
      [3, 'not counted: the same absence as event 2'],
      [4, 'recorded, never counted'],
      [5, 'counted: strike 2'],
      [6, 'not counted: the same act as event 5, less than 2 s before'],
      [7, 'taken back: alarm'],
      [8, 'not counted: the candidate is exempt from cut'],
      [9, 'not counted: the candidate was exempt from it when it came in'],
    ])
  })
})
