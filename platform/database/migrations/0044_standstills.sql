-- live: yes, adds a column with a constant default
ALTER TABLE "service_outages" ADD COLUMN "is_standstill" boolean DEFAULT false NOT NULL;
