-- live: no, because an index of all events is built while nobody can save
CREATE TABLE "service_outages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "service_outages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "service_outages_order" CHECK ("service_outages"."started_at" <= "service_outages"."ended_at")
);
--> statement-breakpoint
CREATE INDEX "attempt_events_violations" ON "attempt_events" USING btree ("attempt_id") WHERE "attempt_events"."is_violation";