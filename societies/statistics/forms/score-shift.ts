/** Points that an owner added to scores (product 7.19.11). */
export interface StandingShift {
  /** whose scores; null: everybody's */
  form: 'A' | 'B' | null
  points: number
}

/** What is added to the scores of a form; 0 where no shift stands, or where it is the other form's. */
export const shiftOf = (shift: StandingShift | null, form: StandingShift['form']): number =>
  shift && (shift.form === null || shift.form === form) ? shift.points : 0
