-- live: yes, adds the table form_deals; a test with two forms is started by new nodes alone, and no test has two before
CREATE TABLE "form_deals" (
	"assessment" text NOT NULL,
	"is_demo" boolean NOT NULL,
	"seed" integer NOT NULL,
	"dealt" integer NOT NULL,
	CONSTRAINT "form_deals_assessment_is_demo_pk" PRIMARY KEY("assessment","is_demo")
);
--> statement-breakpoint
ALTER TABLE "form_deals" ADD CONSTRAINT "form_deals_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The form of a start by its number, from 0: in each block of four two of each, in an order that the seed draws.
CREATE FUNCTION dealt_form(seed integer, number integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  select substr(
    (array['AABB', 'ABAB', 'ABBA', 'BAAB', 'BABA', 'BBAA'])[1 + (
      ('x' || left(encode(sha256(convert_to(seed || '/' || number / 4, 'UTF8')), 'hex'), 8))::bit(32)::bigint % 6
    )],
    1 + number % 4, 1
  )
$$;--> statement-breakpoint
-- As before, and the paper is the one of the form that was dealt: all of it, and nothing of the other form.
CREATE OR REPLACE FUNCTION require_paper() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform from assessments where code = new.assessment for key share;
  if exists (
    select from unnest(new.paper) item
    where not exists (
      select from assessment_items i where i.id = item and i.assessment = new.assessment
        and (i.form is null or i.form = new.form)
    )
  ) or new.form is not null and cardinality(new.paper) <> (
    select count(*) from assessment_items i
    where i.assessment = new.assessment and (i.form is null or i.form = new.form)
  ) then
    raise exception 'The paper holds an item that assessment % does not have, or is of another form.', new.assessment
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
