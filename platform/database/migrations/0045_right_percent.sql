-- live: yes, adds a column without a default
ALTER TABLE "questions" ADD COLUMN "right_percent" smallint;
