-- live: yes, adds a column without a default
ALTER TABLE "questions" ADD COLUMN "cites" text;