// Loaded before the server (node --import): moves its clock by the milliseconds that the file named by
// CLOCK_SHIFT_FILE holds at the moment. Timers and the machine's uptime go on as they are, as they do
// when an administrator sets a machine's time.
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_SHIFT_FILE
const RealDate = Date
let shiftMs = 0

function readShift() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // Being written.
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
