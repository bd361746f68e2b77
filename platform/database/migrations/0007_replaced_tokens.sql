-- live: yes, adds the table replaced_tokens
CREATE TABLE "replaced_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"candidate_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"replaced_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "replaced_tokens" ADD CONSTRAINT "replaced_tokens_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replaced_tokens" ADD CONSTRAINT "replaced_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replaced_tokens_candidate" ON "replaced_tokens" USING btree ("candidate_id");--> statement-breakpoint
CREATE INDEX "replaced_tokens_session" ON "replaced_tokens" USING btree ("session_id");