import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT_DIR } from '../platform/server/project-folder.ts'
import { findFaults } from './migration-faults.ts'

const MIGRATIONS = path.join(PROJECT_DIR, 'platform', 'database', 'migrations')

it('every migration says whether it can run live, and none claims it wrongly', () => {
  const files = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(path.join(MIGRATIONS, name), 'utf8') }))
  expect(files.length).toBeGreaterThan(33)
  expect(findFaults(files)).toEqual([])
})

const YES = '-- live: yes, adds a thing\n'
const kindsOf = (...files: string[]) =>
  findFaults(files.map((sql, at) => ({ name: `000${at}`, sql }))).map(
    (sentence) => /\(([a-z ]+)\): /.exec(sentence)?.[1] ?? sentence,
  )

it.each([
  ['nothing', 'create table a (id int);'],
  ['another word', '-- live: maybe\ncreate table a (id int);'],
  ['no without why', '-- live: no\ncreate table a (id int);'],
  ['yes without what', '-- live: yes\ncreate table a (id int);'],
  ['it in the second line', '\n-- live: yes, adds a\ncreate table a (id int);'],
])('a migration that says %s is refused', (_, sql) => {
  expect(findFaults([{ name: '0034_a', sql }])).toEqual([
    expect.stringContaining('0034_a: its first line must say'),
  ])
})

it.each([
  ['drop', 'alter table a drop column b'],
  ['drop', 'ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL'],
  ['drop', 'alter table a alter b drop default'],
  ['drop', 'alter table a drop constraint c'],
  ['drop', 'drop table a'],
  ['drop', 'drop view a'],
  ['rename', 'alter table a rename column b to c'],
  ['rename', 'alter table a rename to b'],
  ['rename', 'alter view a rename to b'],
  ['type', 'alter table a alter column b type bigint'],
  ['type', 'alter table a alter b set data type bigint'],
  ['not null', 'alter table a alter column b set not null'],
  ['not null', 'alter table a add column b text not null'],
  ['rewrite', 'alter table a add column b uuid default gen_random_uuid() not null'],
  ['rewrite', 'alter table a add column b timestamptz default clock_timestamp()'],
  ['rewrite', "alter table a add b text generated always as (c || 'x') stored"],
  ['rewrite', 'alter table a add column b bigint generated always as identity'],
  ['rewrite', 'alter table a add column b bigserial'],
  ['index', 'CREATE INDEX "i" ON "public"."a" USING btree ("b")'],
  ['index', 'create unique index if not exists i on a (b)'],
  ['index', 'alter table a add constraint u unique (b)'],
  ['index', 'alter table a add primary key (b)'],
  ['foreign key', 'alter table a add constraint f foreign key (b) references c (d)'],
  ['foreign key', 'alter table a add column b uuid references c (d)'],
  ['check', 'alter table a add constraint d check (b > 0)'],
  ['check', 'alter table a add column b int check (b > 0)'],
  [
    'validate',
    'alter table a add constraint d check (b > 0) not valid; alter table a validate constraint d',
  ],
  ['rows', 'update a set b = 1'],
  ['rows', 'delete from a'],
  ['rows', 'do $$ begin perform 1; end $$'],
  ['trigger', 'create trigger t before insert on a for each row execute function f()'],
  ['lock', 'lock table a in access exclusive mode'],
  ['lock', 'truncate a'],
  ['concurrently', 'create index concurrently i on a (b)'],
  ['concurrently', 'drop index concurrently if exists j; create index concurrently i on a (b)'],
  [
    'concurrently',
    'drop index concurrently if exists i; create index concurrently i on a (b); create table c (d int)',
  ],
])('a live migration is refused for %s: %s', (kind, sql) => {
  expect(kindsOf(`${YES}${sql};`)).toEqual([kind])
})

it('one fault among several changes of a table is found, and each kind is reported once', () => {
  expect(
    kindsOf(`${YES}alter table a add column b numeric(3, 1), drop column c, drop column d;`),
  ).toEqual(['drop'])
})

it.each([
  'alter table a add column b jsonb',
  "alter table a add column b jsonb default '{}'::jsonb not null",
  'alter table a add column b boolean default false not null, add c int default -1',
  'alter table a add column b timestamptz default now() not null',
  'alter table a add constraint d check (b > 0) not valid',
  'alter table a add constraint f foreign key (b) references c (d) not valid',
  'alter table a validate constraint d',
  'alter table a add constraint u unique using index i',
  'drop index concurrently if exists i; create unique index concurrently i on a (b)',
  'create table a (b uuid not null, c text); create index i on a (b); alter table a alter c set not null; alter table a add constraint f foreign key (b) references u (id); update a set c = 1',
  'create or replace view v as select 1',
  "create function f() returns text language sql as $$ select 'drop table a; update a set b = 1' $$",
  '-- drop table a;\ncreate table b (c int)',
  "comment on table a is 'drop; update a set b = 1'",
])('a live migration can contain %s', (sql) => {
  expect(kindsOf(`${YES}${sql};`)).toEqual([])
})

it('a live migration can require a column once an earlier one validated a check of it', () => {
  const added = `${YES}alter table a add constraint d check ("b" is not null) not valid;`
  const validated = `${YES}alter table a validate constraint d;`
  const required = `${YES}alter table a alter column b set not null;`
  expect(kindsOf(added, validated, required)).toEqual([])
  expect(kindsOf(added, required)).toEqual(['not null'])
  expect(kindsOf(added, validated, required.replace('column b', 'column c'))).toEqual(['not null'])
})

it('a reason excuses one kind of fault, if it names it and the migration has it', () => {
  const index = 'create index i on a (b);'
  const says = (although: string) => `-- live: yes, adds an index; although ${although}\n${index}`
  expect(kindsOf(says('index: a row for each society, some hundreds'))).toEqual([])
  expect(kindsOf(says('index: small'))).toEqual(['index'])
  expect(kindsOf(says('drop: a row for each society, some hundreds'))).toEqual([
    'index',
    "0000: it excuses 'drop', which it doesn't contain",
  ])
})

it('a migration that is not live can do anything except build an index next to other statements', () => {
  const no = '-- live: no, because it drops a column that nodes of before read\n'
  expect(kindsOf(`${no}alter table a drop column b; update a set c = 1;`)).toEqual([])
  expect(kindsOf(`${no}create index concurrently i on a (b);`)).toEqual(['concurrently'])
})
