import { RATING_NAMES, RATINGS, type Rating } from '../../aloud/rating.ts'
import { whenAgain } from './when-again.ts'

/** How it felt, each with the day on which the prompt comes back (product 3.13.7). */
export function RatingChoice(props: {
  rating: Rating
  nextDays: readonly number[]
  onRate: (rating: Rating) => void
}) {
  return (
    <fieldset className="mt-7">
      <legend className="font-[550] text-[15px]">How did it feel?</legend>
      <div className="panel ratings">
        {RATINGS.map((rating) => (
          <label key={rating} className="rating">
            <input
              type="radio"
              name="rating"
              className="sr-only"
              checked={rating === props.rating}
              onChange={() => props.onRate(rating)}
            />
            {RATING_NAMES[rating]}
            <span className="hint">{whenAgain(props.nextDays[rating - 1] ?? 1)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
