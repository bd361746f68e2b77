import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CONTENT_DIR } from '../../../platform/server/project-folder.ts'

/** Whether a password is easy to guess: common, repetitive, or a run such as 23456789. */
export function isCommonPassword(password: string): boolean {
  const text = password.trim().toLowerCase()
  return text === '' || COMMON.has(text) || isRepetition(text) || isRun(text)
}

/** aaaaaaaa, 12121212, abcabcabc */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= 3 && size < text.length; size++) {
    const unit = text.slice(0, size)
    if (unit.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true
  }
  return false
}

const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
]

function isRun(text: string): boolean {
  const backwards = [...text].reverse().join('')
  return RUNS.some((run) => run.includes(text) || run.includes(backwards))
}

// The list contains no password under 8 characters, because those are rejected anyway.
const COMMON = new Set(
  readFileSync(path.join(CONTENT_DIR, 'common-passwords.txt'), 'utf8').split(/\s+/),
)
