-- live: yes, adds triggers; although trigger: each only announces what was written, and nodes of before read each member
-- What nodes remember of who watches a test is void as soon as a transaction changes the roles, what they reach, or
-- who is a candidate (product 7.14.13), announced as the ends of sessions are (0035). A person's id, or nothing,
-- which means everybody.
CREATE FUNCTION announce_changed_role() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('known_users', old.user_id::text);
  end if;
  if tg_op <> 'DELETE' then
    perform pg_notify('known_users', new.user_id::text);
  end if;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER memberships_announced AFTER INSERT OR UPDATE OR DELETE ON memberships
  FOR EACH ROW EXECUTE FUNCTION announce_changed_role();--> statement-breakpoint
CREATE FUNCTION announce_changed_reach() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform pg_notify('known_users', m.user_id::text) from memberships m
  where m.id = case when tg_op = 'DELETE' then old.membership_id else new.membership_id end;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER membership_assessments_announced AFTER INSERT OR UPDATE OR DELETE ON membership_assessments
  FOR EACH ROW EXECUTE FUNCTION announce_changed_reach();--> statement-breakpoint
-- Whom of the members a list makes candidates, nobody looks for: everybody is read once more.
CREATE TRIGGER candidates_announced AFTER INSERT OR UPDATE OF username, email ON candidates
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everybody();
