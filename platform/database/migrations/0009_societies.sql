-- live: no, because a node of before makes assessments without a society, which are refused from here on
CREATE TABLE "societies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"via" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "societies_name_blank" CHECK (btrim("societies"."name") <> ''),
	CONSTRAINT "societies_via" CHECK ("societies"."via" in ('console', 'command'))
);
--> statement-breakpoint
CREATE TABLE "invitation_assessments" (
	"invitation_id" uuid NOT NULL,
	"assessment" text NOT NULL,
	CONSTRAINT "invitation_assessments_invitation_id_assessment_pk" PRIMARY KEY("invitation_id","assessment")
);
--> statement-breakpoint
CREATE TABLE "membership_assessments" (
	"membership_id" uuid NOT NULL,
	"assessment" text NOT NULL,
	CONSTRAINT "membership_assessments_membership_id_assessment_pk" PRIMARY KEY("membership_id","assessment")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"id" uuid PRIMARY KEY NOT NULL,
	"society_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"all_assessments" boolean NOT NULL,
	"until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "memberships_known_role" CHECK ("memberships"."role" in ('owner', 'author', 'invigilator', 'reviewer')),
	CONSTRAINT "memberships_owner_of_all" CHECK ("memberships"."role" <> 'owner' or ("memberships"."all_assessments" and "memberships"."until" is null))
);
--> statement-breakpoint
CREATE TABLE "society_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"society_id" uuid NOT NULL,
	"email" text NOT NULL,
	"roles" text[] NOT NULL,
	"all_assessments" boolean NOT NULL,
	"until" timestamp with time zone,
	"via" text NOT NULL,
	"invited_by_name" text NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"expires_in_days" smallint NOT NULL,
	"token_hash" "bytea",
	"sent_count" integer DEFAULT 0 NOT NULL,
	"last_sent_at" timestamp with time zone,
	"accepted_at" timestamp with time zone,
	"user_id" uuid,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "society_invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "society_invitations_email_lower" CHECK ("society_invitations"."email" = lower("society_invitations"."email")),
	CONSTRAINT "society_invitations_via" CHECK ("society_invitations"."via" in ('console', 'command')),
	CONSTRAINT "society_invitations_roles" CHECK (cardinality("society_invitations"."roles") > 0 and "society_invitations"."roles" <@ array['owner', 'author', 'invigilator', 'reviewer']),
	CONSTRAINT "society_invitations_owner_of_all" CHECK (not 'owner' = any("society_invitations"."roles") or ("society_invitations"."all_assessments" and "society_invitations"."until" is null)),
	CONSTRAINT "society_invitations_closed_once" CHECK ("society_invitations"."accepted_at" is null or "society_invitations"."revoked_at" is null)
);
--> statement-breakpoint
-- What is there gets a society of the name that its candidates read.
INSERT INTO "societies" ("id", "name", "via", "created_at")
SELECT gen_random_uuid(), min("society"), 'command', min("created_at") FROM "assessments" GROUP BY lower("society");--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "society_id" uuid;--> statement-breakpoint
UPDATE "assessments" SET "society_id" = "societies"."id" FROM "societies" WHERE lower("societies"."name") = lower("assessments"."society");--> statement-breakpoint
ALTER TABLE "assessments" ALTER COLUMN "society_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "about" uuid;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "society_id" uuid;--> statement-breakpoint
ALTER TABLE "invitation_assessments" ADD CONSTRAINT "invitation_assessments_invitation_id_society_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."society_invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_assessments" ADD CONSTRAINT "invitation_assessments_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_assessments" ADD CONSTRAINT "membership_assessments_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_assessments" ADD CONSTRAINT "membership_assessments_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "society_invitations" ADD CONSTRAINT "society_invitations_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "society_invitations" ADD CONSTRAINT "society_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "society_invitations" ADD CONSTRAINT "society_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "societies_name" ON "societies" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "invitation_assessments_assessment" ON "invitation_assessments" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "membership_assessments_assessment" ON "membership_assessments" USING btree ("assessment");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_role" ON "memberships" USING btree ("user_id","society_id","role") WHERE "memberships"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "memberships_society" ON "memberships" USING btree ("society_id");--> statement-breakpoint
CREATE INDEX "society_invitations_society" ON "society_invitations" USING btree ("society_id","created_at");--> statement-breakpoint
CREATE INDEX "society_invitations_user" ON "society_invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "society_invitations_invited_by" ON "society_invitations" USING btree ("invited_by");--> statement-breakpoint
ALTER TABLE "assessments" ADD CONSTRAINT "assessments_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assessments_society" ON "assessments" USING btree ("society_id");--> statement-breakpoint
CREATE INDEX "admin_actions_user" ON "admin_actions" USING btree ("user_id") WHERE "admin_actions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "admin_actions_society" ON "admin_actions" USING btree ("society_id","id");--> statement-breakpoint
UPDATE "admin_actions" SET "society_id" = "assessments"."society_id" FROM "assessments" WHERE "assessments"."code" = "admin_actions"."assessment";
