-- live: yes, replaces a trigger's function by one that asks the same
-- The items of a test are read once for each attempt. Looked for one by one they took more than half of the time
-- in which a round of starts is written.
CREATE OR REPLACE FUNCTION require_paper() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  known integer[];
begin
  perform from assessments where code = new.assessment for key share;
  select coalesce(array_agg(i.id), '{}') into known from assessment_items i
  where i.assessment = new.assessment and (i.form is null or i.form = new.form);
  if not new.paper <@ known or new.form is not null and cardinality(new.paper) <> cardinality(known) then
    raise exception 'The paper holds an item that assessment % does not have, or is of another form.', new.assessment
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
