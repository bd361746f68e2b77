-- live: no, because tables and columns go that nodes of before read for every member and write with every act
-- What must survive is moved first: roles, deletions, key checks, verdicts, cut scores and fairness cards.
-- The log is written once still; its entries are no chain any more.
DROP TRIGGER "admin_actions_chain" ON "admin_actions";--> statement-breakpoint
DROP FUNCTION chain_log_entry();--> statement-breakpoint
DROP FUNCTION log_entry_hash(bytea, admin_actions);--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'UPDATE'
    and (new.user_id is null or new.user_id is not distinct from old.user_id)
    and (new.detail = '{}' or new.detail = old.detail)
    and (new.id, new.at, new.actor, new.via, new.action) = (old.id, old.at, old.actor, old.via, old.action)
    and new.society_id is not distinct from old.society_id
    and new.assessment is not distinct from old.assessment
  then
    return new;
  end if;
  raise exception 'The log is written once: entry % can neither be changed nor deleted.', old.id
    using errcode = 'check_violation';
end
$$;--> statement-breakpoint
ALTER TABLE "admin_actions" DROP COLUMN "number";--> statement-breakpoint
ALTER TABLE "admin_actions" DROP COLUMN "detail_hash";--> statement-breakpoint
ALTER TABLE "admin_actions" DROP COLUMN "hash";--> statement-breakpoint
DROP TABLE "log_heads";--> statement-breakpoint
-- A role is for its society or for one test, and has no end of its own any more.
DROP INDEX "memberships_role";--> statement-breakpoint
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_owner_of_all";--> statement-breakpoint
ALTER TABLE "society_invitations" DROP CONSTRAINT "society_invitations_owner_of_all";--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "assessment" text;--> statement-breakpoint
ALTER TABLE "society_invitations" ADD COLUMN "assessment" text;--> statement-breakpoint
-- A role whose end has come is over; the log keeps it.
DELETE FROM "memberships" WHERE "ended_at" IS NULL AND "until" <= now();--> statement-breakpoint
-- A role for several tests is one for each.
INSERT INTO "memberships" ("id", "society_id", "user_id", "role", "all_assessments", "until", "room", "created_at",
    "ended_at", "assessment")
  SELECT gen_random_uuid(), m.society_id, m.user_id, m.role, false, m.until, m.room, m.created_at, m.ended_at,
    x.assessment
  FROM "memberships" m JOIN "membership_assessments" x ON x.membership_id = m.id WHERE NOT m.all_assessments;--> statement-breakpoint
DELETE FROM "memberships" m WHERE NOT m.all_assessments AND m.assessment IS NULL AND (m.ended_at IS NULL
  OR EXISTS (SELECT FROM "membership_assessments" x WHERE x.membership_id = m.id));--> statement-breakpoint
-- An end that lies ahead is dropped only where the role ends by itself before it: an invigilator's, with the test.
-- Every other one would be a right for longer than was given, so it ends now, and the log says so.
WITH ended AS (
  UPDATE "memberships" m SET "ended_at" = now()
  WHERE m.ended_at IS NULL AND m.until IS NOT NULL AND NOT (m.role = 'invigilator' AND EXISTS (
    SELECT FROM "assessments" a WHERE a.code = m.assessment
      AND a.closes_at + 2 * make_interval(secs => a.duration_seconds) <= m.until))
  RETURNING m.society_id, m.user_id, m.role, m.assessment, m.until)
INSERT INTO "admin_actions" ("at", "actor", "via", "action", "society_id", "detail")
  SELECT now(), 'Superday, by its date', 'command', 'end-role', e.society_id,
    jsonb_build_object('member', u.email, 'role', e.role, 'assessment', e.assessment, 'until', e.until)
  FROM ended e JOIN "users" u ON u.id = e.user_id ORDER BY e.society_id, u.email, e.role, e.assessment;--> statement-breakpoint
-- What is offered and not accepted is never more than was offered: with an end, or for other than one test, it is
-- taken back, and invited for anew.
WITH closed AS (
  UPDATE "society_invitations" i SET "revoked_at" = now()
  WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL AND (i.until IS NOT NULL OR (NOT i.all_assessments
    AND (SELECT count(*) FROM "invitation_assessments" x WHERE x.invitation_id = i.id) <> 1))
  RETURNING i.society_id, i.email)
INSERT INTO "admin_actions" ("at", "actor", "via", "action", "society_id", "detail")
  SELECT now(), 'Superday, by its date', 'command', 'revoke-invitation', c.society_id,
    jsonb_build_object('email', c.email)
  FROM closed c ORDER BY c.society_id, c.email;--> statement-breakpoint
UPDATE "society_invitations" i SET "assessment" = (
    SELECT min(x.assessment) FROM "invitation_assessments" x WHERE x.invitation_id = i.id)
  WHERE NOT i.all_assessments;--> statement-breakpoint
DROP TABLE "membership_assessments";--> statement-breakpoint
DROP TABLE "invitation_assessments";--> statement-breakpoint
DROP FUNCTION announce_changed_reach();--> statement-breakpoint
ALTER TABLE "memberships" DROP COLUMN "all_assessments";--> statement-breakpoint
ALTER TABLE "memberships" DROP COLUMN "until";--> statement-breakpoint
ALTER TABLE "society_invitations" DROP COLUMN "all_assessments";--> statement-breakpoint
ALTER TABLE "society_invitations" DROP COLUMN "until";--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "society_invitations" ADD CONSTRAINT "society_invitations_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_owner_of_all" CHECK ("memberships"."role" <> 'owner' or "memberships"."assessment" is null);--> statement-breakpoint
ALTER TABLE "society_invitations" ADD CONSTRAINT "society_invitations_owner_of_all" CHECK (not 'owner' = any("society_invitations"."roles") or "society_invitations"."assessment" is null);--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_role" ON "memberships" USING btree ("user_id","society_id","role",coalesce("assessment", '')) WHERE "memberships"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "memberships_assessment" ON "memberships" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "society_invitations_assessment" ON "society_invitations" USING btree ("assessment");--> statement-breakpoint
-- What nodes remember of who watches a test is void when it is deleted, or closes at another time.
CREATE TRIGGER assessments_announced AFTER UPDATE OF closes_at, deleted_at ON assessments
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everybody();--> statement-breakpoint
-- A season's newest card becomes the report of its first test that somebody took, under the same address.
CREATE TABLE "fairness_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"content" jsonb NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"published_by" text NOT NULL,
	"changed_at" timestamp with time zone,
	CONSTRAINT "fairness_reports_assessment" UNIQUE("assessment")
);
--> statement-breakpoint
ALTER TABLE "fairness_reports" ADD CONSTRAINT "fairness_reports_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "fairness_reports" ("id", "assessment", "content", "published_at", "published_by", "changed_at")
SELECT DISTINCT ON (a.code) f.card_id, a.code,
  jsonb_build_object(
    'society', f.content->'society',
    'name', f.content->'season',
    'firstDay', f.content->'firstDay',
    'lastDay', f.content->'lastDay',
    'took', f.content->'sat',
    'questions', f.content->'questions',
    'minutes', coalesce(f.content->'groups'->0->'minutes', to_jsonb(round(a.duration_seconds / 60.0)::int)),
    'rulings', coalesce((SELECT jsonb_agg(r - 'name') FROM jsonb_array_elements(f.content->'rulings') r), '[]'::jsonb),
    'incidents', jsonb_build_object(
      'counts', f.content->'incidents'->'upheld',
      'doesNotCount', f.content->'incidents'->'cleared',
      'asked', coalesce(f.content->'incidents'->'waitForTalk', f.content->'incidents'->'clearedAfterTalk', '0'::jsonb),
      'undecided', f.content->'incidents'->'undecided'),
    'time', jsonb_build_object(
      'planned', f.content->'time'->'planned',
      'given', f.content->'time'->'given',
      'reopened', f.content->'time'->'reopened',
      'strikesTakenBack', f.content->'time'->'takenBack'),
    'deletedOn', coalesce(f.content->'kept'->'until'->0->'day', 'null'::jsonb)),
  first.made_at, f.made_by, CASE WHEN f.version > 1 THEN f.made_at END
FROM fairness_cards f
JOIN fairness_cards first ON first.card_id = f.card_id AND first.version = 1
JOIN LATERAL (
  SELECT a.code, a.duration_seconds FROM assessments a
  LEFT JOIN assessment_deletions d ON d.assessment = a.code AND d.done_at IS NOT NULL
  WHERE a.society_id = f.society_id AND a.season = f.season AND a.trial IS NULL AND NOT a.is_draft
  ORDER BY (coalesce(d.sat_count, 0) = 0 AND NOT EXISTS (
      SELECT FROM attempts t WHERE t.assessment = a.code AND NOT t.is_demo)),
    coalesce(a.opens_at, a.created_at), a.code
  LIMIT 1
) a ON true
WHERE NOT EXISTS (SELECT FROM fairness_cards n WHERE n.card_id = f.card_id AND n.version > f.version)
ORDER BY a.code, f.made_at DESC;--> statement-breakpoint
DROP TABLE "fairness_cards";--> statement-breakpoint
-- A test is deleted at once and can be restored, so who only asked for it has to press again. What is deleted already
-- stays so for good.
UPDATE "assessment_deletions" d SET "withdrawn_at" = now()
FROM "assessments" a WHERE a."code" = d."assessment" AND a."deleted_at" IS NULL
  AND d."done_at" IS NULL AND d."withdrawn_at" IS NULL;--> statement-breakpoint
UPDATE "assessment_deletions" d SET "done_at" = a."deleted_at"
FROM "assessments" a WHERE a."code" = d."assessment" AND a."deleted_at" IS NOT NULL
  AND d."done_at" IS NULL AND d."withdrawn_at" IS NULL;--> statement-breakpoint
INSERT INTO "assessment_deletions" ("id", "assessment", "requested_at", "requested_by_name", "is_alone", "done_at")
SELECT gen_random_uuid(), a."code", a."deleted_at", 'Superday', false, a."deleted_at" FROM "assessments" a
WHERE a."deleted_at" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "assessment_deletions" d WHERE d."assessment" = a."code" AND d."done_at" IS NOT NULL);--> statement-breakpoint
ALTER TABLE "assessment_deletions" DROP COLUMN "is_alone";--> statement-breakpoint
ALTER TABLE "assessment_deletions" DROP COLUMN "done_by_name";--> statement-breakpoint
-- What was chosen without the key is kept where the question is still the same, the newest of each person; not what
-- an owner has overruled. Who upheld a key counts as having chosen it.
CREATE TABLE "key_checks" (
	"item_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"item_version" integer NOT NULL,
	"choice" text NOT NULL,
	"comment" text,
	"checked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "key_checks_item_id_user_id_pk" PRIMARY KEY("item_id","user_id"),
	CONSTRAINT "key_checks_choice" CHECK ("key_checks"."choice" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
ALTER TABLE "key_checks" ADD CONSTRAINT "key_checks_item_id_assessment_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."assessment_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_checks" ADD CONSTRAINT "key_checks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_checks_user" ON "key_checks" USING btree ("user_id");--> statement-breakpoint
INSERT INTO key_checks (item_id, user_id, item_version, choice, comment, checked_at)
SELECT DISTINCT ON (a.item_id, s.user_id) a.item_id, s.user_id, a.item_version, a.choice, a.comment, s.finished_at
FROM key_check_answers a
JOIN key_check_sittings s ON s.id = a.sitting_id
JOIN assessment_items i ON i.id = a.item_id AND i.version = a.item_version
WHERE s.finished_at IS NOT NULL AND s.user_id IS NOT NULL AND a.choice IS NOT NULL
  AND NOT (a.choice <> i.correct_option AND EXISTS (
    SELECT FROM upheld_keys u WHERE u.item_id = a.item_id AND u.item_version = a.item_version
      AND u.withdrawn_at IS NULL AND s.id = ANY (u.sittings)))
ORDER BY a.item_id, s.user_id, s.finished_at DESC;--> statement-breakpoint
INSERT INTO key_checks (item_id, user_id, item_version, choice, comment, checked_at)
SELECT DISTINCT ON (u.item_id, u.user_id) u.item_id, u.user_id, u.item_version, i.correct_option, u.reason, u.made_at
FROM upheld_keys u JOIN assessment_items i ON i.id = u.item_id AND i.version = u.item_version
WHERE u.withdrawn_at IS NULL AND u.user_id IS NOT NULL
ORDER BY u.item_id, u.user_id, u.made_at DESC
ON CONFLICT (item_id, user_id) DO UPDATE SET choice = excluded.choice, comment = excluded.comment,
  checked_at = excluded.checked_at;--> statement-breakpoint
DROP TABLE "upheld_keys";--> statement-breakpoint
DROP TABLE "key_check_answers";--> statement-breakpoint
DROP TABLE "key_check_sittings";--> statement-breakpoint
DROP TABLE "question_presence";--> statement-breakpoint
-- One person decides. Of two who agreed the first verdict stands; where two disagreed the incident is open again, and
-- both rows stay.
UPDATE "incident_verdicts" f SET "reason" = f."reason" || E'\nSecond reviewer ' || s."decided_by" || ': ' || s."reason"
FROM "incident_verdicts" s
WHERE s."candidate_id" = f."candidate_id" AND s."incident" = f."incident" AND s."is_second" AND NOT f."is_second"
  AND s."withdrawn_at" IS NULL AND f."withdrawn_at" IS NULL AND s."verdict" = f."verdict";--> statement-breakpoint
UPDATE "incident_verdicts" v SET "withdrawn_at" = now(), "withdrawn_by" = 'Superday'
FROM "incident_verdicts" o
WHERE o."candidate_id" = v."candidate_id" AND o."incident" = v."incident" AND o."id" <> v."id"
  AND v."withdrawn_at" IS NULL AND o."withdrawn_at" IS NULL
  AND (v."is_second" OR v."verdict" <> o."verdict");--> statement-breakpoint
DROP INDEX "incident_verdicts_standing";--> statement-breakpoint
CREATE UNIQUE INDEX "incident_verdicts_standing" ON "incident_verdicts" USING btree ("candidate_id","incident") WHERE "incident_verdicts"."withdrawn_at" is null;--> statement-breakpoint
ALTER TABLE "incident_verdicts" DROP COLUMN "is_second";--> statement-breakpoint
ALTER TABLE "incident_verdicts" DROP COLUMN "is_for_room";--> statement-breakpoint
-- What was taken back was shown to nobody any more.
DELETE FROM "incident_reports" WHERE "withdrawn_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "incident_reports" DROP COLUMN "withdrawn_at";--> statement-breakpoint
-- Scores are right answers again, so the cut score goes back by what had been added to a session: the same are in.
-- Who had read a result with a shift is told so, and a line that counted one form's shift is told no more.
update result_lines l
set points = greatest(0, l.points - h.points), version = l.version + 1
from score_shifts h
where h.assessment = l.assessment and h.withdrawn_at is null and h.basis->>'form' is null;--> statement-breakpoint
update result_releases r
set words = btrim(r.words || E'\n' || format(
      'The society had %s %s %s %s %s scores, because of their questions; %s.',
      case when h.points > 0 then 'added' else 'taken' end,
      abs(h.points), case when abs(h.points) = 1 then 'point' else 'points' end,
      case when h.points > 0 then 'to' else 'from' end,
      case when h.basis->>'form' is null then 'all' else 'some' end,
      case when h.basis->>'form' is null then 'the line is told without them' else 'its line counted them' end
    ), E'\n'),
    tells_line = r.tells_line and h.basis->>'form' is null
from score_shifts h
where h.assessment = r.assessment and h.withdrawn_at is null;--> statement-breakpoint
DROP TABLE "score_shifts";--> statement-breakpoint
DROP TABLE "similarity_checks";--> statement-breakpoint
DROP TABLE "candidate_additions";--> statement-breakpoint
ALTER TABLE "assessments" DROP COLUMN "rooms_until";--> statement-breakpoint
ALTER TABLE "assessments" DROP COLUMN "needs_second_review";
