-- live: no, because the whole log is written anew under a lock, and every act waits to be noted
CREATE TABLE "log_heads" (
	"chain" text PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "via" text DEFAULT 'command' NOT NULL;--> statement-breakpoint
UPDATE "admin_actions" SET "via" = 'console' WHERE "user_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "number" integer;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "detail_hash" "bytea";--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "hash" "bytea";--> statement-breakpoint
CREATE FUNCTION log_entry_hash(previous bytea, entry admin_actions) RETURNS bytea LANGUAGE sql STABLE AS $$
  select sha256(previous || convert_to(jsonb_build_array(
    entry.number, round(extract(epoch from entry.at) * 1000000)::bigint, entry.actor, entry.via, entry.action,
    entry.society_id, entry.assessment, encode(entry.detail_hash, 'hex')
  )::text, 'UTF8'))
$$;--> statement-breakpoint
-- Binds an entry to the one before it. Who notes something holds the end of its log until the commit, so that
-- numbers have no gaps: that is why notes are written last.
CREATE FUNCTION chain_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  log text := coalesce(new.society_id::text, 'server');
  head log_heads;
begin
  insert into log_heads values (log, 0, '') on conflict (chain) do update set chain = excluded.chain
    returning * into head;
  new.number := head.number + 1;
  new.detail_hash := sha256(convert_to(new.detail::text, 'UTF8'));
  new.hash := log_entry_hash(head.hash, new);
  update log_heads set number = new.number, hash = new.hash where chain = log;
  return new;
end
$$;--> statement-breakpoint
DO $$
declare
  entry admin_actions;
  previous bytea := '';
  log text := null;
begin
  for entry in select * from admin_actions order by coalesce(society_id::text, 'server'), id loop
    if log is distinct from coalesce(entry.society_id::text, 'server') then
      log := coalesce(entry.society_id::text, 'server');
      previous := '';
      insert into log_heads values (log, 0, '');
    end if;
    entry.number := (select number + 1 from log_heads where chain = log);
    entry.detail_hash := sha256(convert_to(entry.detail::text, 'UTF8'));
    entry.hash := log_entry_hash(previous, entry);
    previous := entry.hash;
    update admin_actions set number = entry.number, detail_hash = entry.detail_hash, hash = entry.hash
      where id = entry.id;
    update log_heads set number = entry.number, hash = entry.hash where chain = log;
  end loop;
end
$$;--> statement-breakpoint
ALTER TABLE "admin_actions" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_actions" ALTER COLUMN "detail_hash" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_actions" ALTER COLUMN "hash" SET NOT NULL;--> statement-breakpoint
CREATE TRIGGER admin_actions_chain BEFORE INSERT ON admin_actions
  FOR EACH ROW EXECUTE FUNCTION chain_log_entry();--> statement-breakpoint
-- Written once. An account that goes takes its id along, and a deleted season what was said of its people.
CREATE FUNCTION keep_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'UPDATE'
    and (new.user_id is null or new.user_id is not distinct from old.user_id)
    and (new.detail = '{}' or new.detail = old.detail)
    and (new.id, new.at, new.actor, new.via, new.action, new.number, new.detail_hash, new.hash)
      = (old.id, old.at, old.actor, old.via, old.action, old.number, old.detail_hash, old.hash)
    and new.society_id is not distinct from old.society_id
    and new.assessment is not distinct from old.assessment
  then
    return new;
  end if;
  raise exception 'The log is written once: entry % can neither be changed nor deleted.', old.id
    using errcode = 'check_violation';
end
$$;--> statement-breakpoint
CREATE TRIGGER admin_actions_kept BEFORE UPDATE OR DELETE ON admin_actions
  FOR EACH ROW EXECUTE FUNCTION keep_log_entry();--> statement-breakpoint
CREATE INDEX "admin_actions_assessment" ON "admin_actions" USING btree ("assessment","id");--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_via" CHECK ("admin_actions"."via" in ('console', 'command'));
