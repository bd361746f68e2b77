-- live: yes, adds a column of incident_verdicts with a constant
ALTER TABLE "incident_verdicts" ADD COLUMN "is_for_room" boolean DEFAULT false NOT NULL;