-- live: yes, replaces an index of attempts; although index: attempts has a row for each test that was taken, and ten thousand are indexed in some ten milliseconds; although drop: an index changes no answer, and the sweep of a node of before reads some more rows until it is replaced
-- The sweep finds who is overdue by this expression, which no other statement uses. The planner took the index of
-- open attempts for every round of ten thousand candidates, since of a table that was just empty it believes that
-- next to none are open, and read all of them for each round.
CREATE INDEX "attempts_open_until" ON "attempts" USING btree ((case when "submitted_at" is null then "deadline_at" end));--> statement-breakpoint
DROP INDEX "attempts_open";
