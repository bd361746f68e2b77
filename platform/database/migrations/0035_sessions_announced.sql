-- live: yes, adds triggers; although trigger: each only announces what was written, and nodes of before do not listen
-- What nodes remember of who calls is void as soon as a transaction changes it: each announces it to all
-- nodes by its commit (product 2.1.11). Not in code: whatever ends a session, by whichever way, is heard.
-- A person's id, or nothing, which means everybody.
CREATE FUNCTION announce_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  person uuid;
begin
  -- Very many at once, as a rehearsal's guests have, are one announcement.
  if (select count(*) from (select distinct user_id from gone limit 101) few) > 100 then
    notify known_users;
    return null;
  end if;
  for person in select distinct user_id from gone loop
    perform pg_notify('known_users', person::text);
  end loop;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER sessions_announced AFTER DELETE ON sessions REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ended_sessions();--> statement-breakpoint
CREATE FUNCTION announce_changed_person() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform pg_notify('known_users', new.id::text);
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER users_announced AFTER UPDATE OF email, is_anonymous ON users FOR EACH ROW
  WHEN (old.email is distinct from new.email or old.is_anonymous <> new.is_anonymous)
  EXECUTE FUNCTION announce_changed_person();--> statement-breakpoint
CREATE FUNCTION announce_everybody() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  notify known_users;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER sessions_emptied AFTER TRUNCATE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everybody();--> statement-breakpoint
-- With each session a node remembers the version of the bank that it read with it.
CREATE TRIGGER bank_announced AFTER INSERT OR UPDATE ON bank
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everybody();
