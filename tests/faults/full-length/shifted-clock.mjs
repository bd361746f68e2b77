// Loaded before the server (node --import): shifts its clock by the milliseconds in the file named by CLOCK_SHIFT_FILE.
// Timers and the machine's uptime don't change, as when an administrator sets the clock.
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_SHIFT_FILE
const RealDate = Date
let shiftMs = 0

function readShift() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // The file is being written.
  }
}
readShift()
setInterval(readShift, 50).unref()

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...given)
  }
  static now() {
    return RealDate.now() + shiftMs
  }
}
