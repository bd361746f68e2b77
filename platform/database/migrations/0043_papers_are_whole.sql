-- live: yes, replaces a trigger's function by one that refuses a paper which is not whole
-- A question that is added in the second in which a room starts would be on some papers and not on others.
CREATE OR REPLACE FUNCTION require_paper() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  known integer[];
begin
  perform from assessments where code = new.assessment for key share;
  select coalesce(array_agg(i.id), '{}') into known from assessment_items i
  where i.assessment = new.assessment and (i.form is null or i.form = new.form);
  -- No start has an empty one.
  if not new.paper <@ known or cardinality(new.paper) not in (0, cardinality(known)) then
    raise exception 'The paper of assessment % is not whole, has an item of another test, or is of another form.', new.assessment
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
