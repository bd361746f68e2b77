-- live: yes, adds a column without a default
ALTER TABLE "practice_plans" ADD COLUMN "started_on" date;