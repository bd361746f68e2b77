-- live: yes, adds a trigger; although trigger: it only empties a warning, and nodes of before then warn again
-- Owners were warned of the deletion of an assessment on a day that another start moves (product 7.21.2).
CREATE FUNCTION forget_deletion_warning() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  update assessments set keep_warned_at = null
  where keep_warned_at is not null
    and code = case when tg_op = 'DELETE' then old.assessment else new.assessment end;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER candidates_start_added AFTER INSERT ON candidates
  FOR EACH ROW WHEN (new.starts_until is not null) EXECUTE FUNCTION forget_deletion_warning();--> statement-breakpoint
CREATE TRIGGER candidates_start_moved AFTER UPDATE OF starts_until ON candidates
  FOR EACH ROW WHEN (new.starts_until is distinct from old.starts_until) EXECUTE FUNCTION forget_deletion_warning();--> statement-breakpoint
CREATE TRIGGER candidates_start_removed AFTER DELETE ON candidates
  FOR EACH ROW WHEN (old.starts_until is not null) EXECUTE FUNCTION forget_deletion_warning();
