/** A schema whose rows can be distinguished in any answer, and random rows, policies and privileges on it. */
import fc from 'fast-check';

/** Tables, each after those that its policies may query. */
export const TABLES = ['teams', 'labels', 'docs', 'doc_labels'] as const;

/** A table of the schema. */
type Table = (typeof TABLES)[number];

/** A role of requests that no policy names. */
const GUEST = 'club_guest';
const ROLES = ['anon', 'authenticated', GUEST] as const;

/** Owners of rows, and subjects of requests. */
export const PEOPLE = ['ann', 'bob'] as const;

/** Each row has a unique mark. A response with the mark has disclosed the row. */
export const MARK = /(?:teams|labels|docs|doc_labels)#\d+/g;

/** The schema. */
export const CLUB = `
  do $role$ begin
    if not exists (select from pg_roles where rolname = '${GUEST}') then create role ${GUEST}; end if;
  end $role$;
  grant ${GUEST} to authenticator;
  grant usage on schema public to ${GUEST};
  create table teams (id int primary key, owner text, level int, mark text);
  create table labels (id int primary key, owner text, level int, mark text);
  create table docs (id int primary key, team_id int references teams, owner text, level int, mark text);
  create table doc_labels (
    doc_id int references docs, label_id int references labels, owner text, level int, mark text,
    primary key (doc_id, label_id)
  );
  create view docs_seen with (security_invoker = true) as select id, team_id, owner, level, mark from docs;
  create function all_docs(from_level int default 0) returns setof docs stable language sql
    as $$ select * from docs where level >= from_level $$;
  create function move_docs(to_level int) returns setof docs volatile language sql
    as $$ update docs set level = to_level where level < 2 returning * $$;
  create function newest_doc(teams) returns setof docs rows 1 stable language sql
    as $$ select * from docs where team_id = $1.id order by id desc limit 1 $$;
  create function docs_above(teams) returns setof docs stable language sql
    as $$ select * from docs where level > $1.level $$;
  grant all on all tables in schema public to ${GUEST};
  grant execute on all functions in schema public to ${GUEST}`;

/** The role and the subject of a request. */
export interface Caller {
  role: string;
  sub: string | undefined;
}

export const CALLERS: readonly Caller[] = [
  { role: 'anon', sub: undefined },
  { role: 'authenticated', sub: 'ann' },
  { role: 'authenticated', sub: 'bob' },
  { role: GUEST, sub: 'ann' },
  { role: 'service_role', sub: undefined },
];

/** SQL that prepares the tables for one run. */
export function clubStates(): fc.Arbitrary<string> {
  return fc.tuple(rows(), ...TABLES.map(protections)).map((parts) => parts.join('\n'));
}

const owner = fc.constantFrom('null', ...PEOPLE.map((person) => `'${person}'`));
const level = fc.constantFrom('0', '1', '2');

function rows(): fc.Arbitrary<string> {
  const own = fc.tuple(owner, level);
  const parent = fc.constantFrom('1', '2', 'null');
  return fc
    .record({
      teams: fc.array(own, { minLength: 2, maxLength: 4 }),
      labels: fc.array(own, { minLength: 2, maxLength: 3 }),
      docs: fc.array(fc.tuple(parent, own), { minLength: 2, maxLength: 6 }),
      pairs: fc
        .subarray(['1, 1', '1, 2', '2, 1', '2, 2'])
        .chain((pairs) =>
          fc.tuple(...pairs.map((pair) => own.map((columns): [string, [string, string]] => [pair, columns]))),
        ),
    })
    .map(({ teams, labels, docs, pairs }) =>
      [
        'truncate doc_labels, docs, labels, teams;',
        ...teams.map((columns, i) => `insert into teams values (${i + 1}, ${columns}, 'teams#${i + 1}');`),
        ...labels.map((columns, i) => `insert into labels values (${i + 1}, ${columns}, 'labels#${i + 1}');`),
        ...docs.map(
          ([team, columns], i) => `insert into docs values (${i + 1}, ${team}, ${columns}, 'docs#${i + 1}');`,
        ),
        ...pairs.map(
          ([pair, columns], i) =>
            `insert into doc_labels values (${pair}, ${columns}, 'doc_labels#${i + 1}');`,
        ),
        'analyze teams, labels, docs, doc_labels;',
      ].join('\n'),
    );
}

/** Privileges and policies of one table. */
function protections(table: Table): fc.Arbitrary<string> {
  return fc
    .record({
      isProtected: usually,
      policies: fc.array(policy(table), { maxLength: 5 }),
      privileges: fc.tuple(...ROLES.map((role) => privileges(table, role))),
    })
    .map(({ isProtected, policies, privileges }) =>
      [
        ...Array.from({ length: 5 }, (_, i) => `drop policy if exists p${i} on ${table};`),
        `alter table ${table} ${isProtected ? 'enable' : 'disable'} row level security;`,
        ...policies.map((text, i) => `create policy p${i} on ${table} ${text};`),
        ...privileges,
      ].join('\n'),
    );
}

const usually = fc.nat(9).map((number) => number > 0);

function privileges(table: Table, role: string): fc.Arbitrary<string> {
  const all = ['select', 'insert', 'update', 'delete'];
  return fc
    .tuple(usually, fc.subarray(all, { minLength: 1 }))
    .map(([hasAll, subset]) =>
      [
        `revoke all on ${table} from ${role};`,
        `grant ${(hasAll ? all : subset).join(', ')} on ${table} to ${role};`,
      ].join('\n'),
    );
}

function policy(table: Table): fc.Arbitrary<string> {
  const condition = conditions(table);
  return fc
    .record({
      isPermissive: fc.nat(3).map((number) => number > 0),
      command: fc.constantFrom('all', 'all', 'select', 'select', 'insert', 'update', 'delete'),
      roles: fc.oneof(fc.constant(['public']), fc.subarray([...ROLES], { minLength: 1 })),
      using: condition,
      check: fc.option(condition, { nil: undefined }),
    })
    .map(({ isPermissive, command, roles, using, check }) => {
      const head = `as ${isPermissive ? 'permissive' : 'restrictive'} for ${command} to ${roles.join(', ')}`;
      if (command === 'insert') return `${head} with check (${check ?? using})`;
      const isCheckable = command === 'all' || command === 'update';
      return `${head} using (${using})${isCheckable && check !== undefined ? ` with check (${check})` : ''}`;
    });
}

const CLAIMS = "nullif(current_setting('request.jwt.claims', true), '')::json";

/** The condition of a policy. It queries only preceding tables, so that policies are not recursive. */
function conditions(table: Table): fc.Arbitrary<string> {
  const earlier = TABLES.slice(0, TABLES.indexOf(table));
  const plain = fc.constantFrom(
    'true',
    'true',
    `owner = (${CLAIMS} ->> 'sub')`,
    `owner = (${CLAIMS} ->> 'sub')`,
    `owner is distinct from (${CLAIMS} ->> 'sub')`,
    `(${CLAIMS} ->> 'role') = 'authenticated'`,
    'current_user <> session_user',
    'owner is null',
    'level >= 1',
    'level < 2',
    'false',
    ...earlier.map(
      (other) => `exists (select from ${other} as o where o.owner = ${table}.owner and o.level >= 1)`,
    ),
    ...earlier.map((other) => `level <= (select count(*) from ${other})`),
    ...(table === 'docs' ? [`team_id in (select id from teams where owner = (${CLAIMS} ->> 'sub'))`] : []),
    ...(table === 'doc_labels' ? ['exists (select from docs as d where d.id = doc_id)'] : []),
  );
  const joined = fc
    .tuple(plain, fc.constantFrom('and', 'or'), plain)
    .map(([a, word, b]) => `(${a}) ${word} (${b})`);
  return fc.oneof(
    { weight: 3, arbitrary: plain },
    joined,
    plain.map((condition) => `not (${condition})`),
  );
}
