/** The verdicts of “Try as” in the admin area equal the decisions of PostgreSQL. */
import {
  callerOf,
  createMetaClient,
  type MetaClient,
  type Trial,
  tryAs,
  type Verb,
} from '@greenroom/app/admin-policies';
import { MetaServer } from '@greenroom/meta/testing/meta-server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ALICE = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';

let server: MetaServer;
let meta: MetaClient;

beforeAll(async () => {
  server = await MetaServer.open({
    sql: `
      create role reviewer;
      grant reviewer to authenticated with inherit true;
      create role courier with bypassrls;
      grant courier to authenticator;
      grant courier to postgres;
      set role postgres;
      create table members (team int, person uuid);
      insert into members values (1, '${ALICE}'), (2, '${BOB}'), (2, '${ALICE}');
      alter table members enable row level security;
      create policy own on members for select using (person = auth.uid());
      grant select on members to anon, authenticated;
      create table plain (id int primary key);
      insert into plain values (1);
      reset role;
    `,
  });
  const { serviceRole: key } = server.apiKeys;
  meta = createMetaClient({
    url: '',
    key,
    fetch: (path, init) =>
      server.call(String(path), {
        method: init?.method ?? 'GET',
        ...(init?.body !== undefined && { body: JSON.parse(String(init.body)) }),
      }),
  });
});
afterAll(() => server.close());

/** Expressions of several kinds: null, subqueries under row-level security, the whole row, names that need quotes. */
const EXPRESSIONS = [
  'true',
  'false',
  'null::boolean',
  'owner = auth.uid()',
  '(select auth.uid()) = owner',
  'team in (select team from members)',
  'exists (select from members m where m.team = t.team and m.person = t.owner)',
  "auth.jwt() -> 'app_metadata' ->> 'role' = 'editor'",
  'done',
  'not done',
  '"Two ""words" is not null',
  't.* is not null',
  "title = 'open' or title like 'new%'",
  "current_user = 'authenticated'",
  '(select count(*) from t as others where others.team = t.team) > 1',
] as const;

const policy = fc.record({
  command: fc.constantFrom('all', 'select', 'insert', 'update', 'delete'),
  kind: fc.constantFrom('permissive', 'permissive', 'permissive', 'restrictive'),
  role: fc.constantFrom('public', 'authenticated', 'anon', 'reviewer', 'service_role'),
  using: fc.option(fc.constantFrom(...EXPRESSIONS), { freq: 4 }),
  check: fc.option(fc.constantFrom(...EXPRESSIONS)),
});

const scenario = fc.record({
  policies: fc.array(policy, { maxLength: 5 }),
  isForced: fc.boolean(),
  isEnabled: fc.constantFrom(true, true, true, true, false),
  grants: fc.constantFrom(
    'select, insert, update, delete',
    'select, insert, update, delete',
    'select, insert, update, delete',
    'select, insert, update, delete',
    'insert, update, delete',
    'select (id, title), insert, update (title)',
  ),
  role: fc.constantFrom('anon', 'authenticated', 'authenticated', 'authenticated', 'courier'),
  person: fc.constantFrom(ALICE, BOB),
  isEditor: fc.boolean(),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** Returns a script that creates table `t`. Policies use the table of that name, so it has the same in each scenario. */
function scriptOf({ policies, isForced, isEnabled, grants, role }: Scenario): string {
  const created = policies.map(({ command, kind, role: to, using, check }, index) => {
    const hasUsing = command !== 'insert' && using !== null;
    const hasCheck = !['select', 'delete'].includes(command) && check !== null;
    return `create policy p${index} on t as ${kind} for ${command} to ${to}
      ${hasUsing ? `using (${using})` : ''} ${hasCheck ? `with check (${check})` : ''};`;
  });
  return `
    drop table if exists t;
    create table t (
      id int primary key default 99, owner uuid default auth.uid(), team int, title text, done boolean, gone int,
      "Two ""words" text[]
    );
    alter table t drop column gone;
    insert into t values
      (1, '${ALICE}', 1, 'open', true, '{a,"b c"}'), (2, '${BOB}', 2, 'new one', false, null),
      (3, null, null, null, null, null), (4, '${ALICE}', 2, E'"quoted", \\\\ and\\nlines', true, '{}'), (5, '${BOB}', 1, '', null, '{null}');
    ${created.join('\n')}
    ${isEnabled ? 'alter table t enable row level security;' : ''}
    ${isForced ? 'alter table t force row level security;' : ''}
    revoke all on t from anon, authenticated, courier;
    grant ${grants} on t to ${role};`;
}

const TRIALS: readonly Pick<Trial, 'verb' | 'condition' | 'values' | 'returnsRows'>[] = [
  { verb: 'select', condition: '', values: '', returnsRows: false },
  { verb: 'select', condition: 'team = 2', values: '', returnsRows: false },
  { verb: 'delete', condition: '', values: '', returnsRows: false },
  { verb: 'delete', condition: '', values: '', returnsRows: true },
  { verb: 'delete', condition: 'id < 4', values: '', returnsRows: true },
  { verb: 'update', condition: '', values: '{"title": "open"}', returnsRows: false },
  { verb: 'update', condition: 'id = 1', values: '{"title": "closed"}', returnsRows: false },
  { verb: 'update', condition: 'id = 2', values: '{"owner": null, "title": "new"}', returnsRows: true },
  { verb: 'update', condition: 'id = 4', values: '{"team": 1, "done": false}', returnsRows: false },
  { verb: 'insert', condition: '', values: '{"id": 7, "team": 2, "title": "open"}', returnsRows: false },
  { verb: 'insert', condition: '', values: '{}', returnsRows: true },
  {
    verb: 'insert',
    condition: '',
    values: `{"id": 8, "owner": "${BOB}", "done": true, "Two \\"words": ["x", "y \\"z"]}`,
    returnsRows: true,
  },
];

/** Returns the outcome that the verdicts of rows predict: rows, an error of row-level security, or nothing. */
function predictionOf(verb: Verb, rows: readonly { outcome: string }[]): number | 'refused' | 'unknown' {
  if (rows.some(({ outcome }) => outcome === 'unknown')) return 'unknown';
  if (rows.some(({ outcome }) => outcome === 'refused')) return 'refused';
  return rows.filter(({ outcome }) => outcome === 'passed' && verb !== undefined).length;
}

const isDeniedColumn = (message = '') => message === 'permission denied for table t';

function trialOf(found: Scenario, trial: (typeof TRIALS)[number]): Trial {
  const { role, person, isEditor } = found;
  const caller = callerOf(
    {
      ...{ id: person, aud: 'authenticated', role, email: 'a@example.org', phone: null },
      app_metadata: { role: isEditor ? 'editor' : 'reader' },
      user_metadata: {},
      is_anonymous: false,
    },
    'aal1',
  );
  return { ...trial, table: { schema: 'public', name: 't' }, caller, sql: '' };
}

describe('verdicts of policies', () => {
  it('equal the decisions of PostgreSQL for generated policies, rights, roles and statements', async () => {
    const counts = { rows: 0, refused: 0, denied: 0, exempt: 0, failed: 0, broken: 0 };
    const check = async (found: Scenario) => {
      const { error } = await meta.run(scriptOf(found), { commit: 'all' });
      expect(error).toBeNull();
      for (const trial of TRIALS) {
        const { error: problem, rowCount, missing, explanation } = await tryAs(meta, trialOf(found, trial));
        const context = JSON.stringify({ found, trial, problem, explanation }, null, 1);
        if (explanation.kind === 'failed') {
          expect(problem?.message, context).toMatch(/^infinite recursion detected in policy/);
          counts.failed += 1;
        } else if (missing.length > 0) {
          expect(problem?.message, context).toMatch(/^permission denied for (table|schema)/);
          counts.denied += 1;
        } else if (explanation.kind === 'rows' && explanation.problems.length > 0) {
          // A policy reads a table on which the role has no rights.
          expect(problem?.message, context).toBe(explanation.problems[0]?.message);
          counts.broken += 1;
        } else if (isDeniedColumn(problem?.message)) {
          // A condition reads columns that the fields of the form do not name.
          expect(found.grants, context).toMatch(/select \(/);
        } else if (explanation.kind === 'exempt') {
          expect(problem, context).toBeNull();
          counts.exempt += 1;
        } else {
          const predicted = predictionOf(
            trial.verb,
            explanation.rows.map(({ verdict }) => verdict),
          );
          if (predicted === 'refused') {
            expect(problem?.message, context).toMatch(/^new row violates row-level security policy/);
            counts.refused += 1;
          } else if (predicted === 'unknown') expect(problem, context).not.toBeUndefined();
          else {
            expect([problem, rowCount], context).toEqual([null, predicted]);
            counts.rows += predicted;
          }
        }
      }
      return true;
    };
    await fc.assert(fc.asyncProperty(scenario, check), { numRuns: 40, endOnFailure: true });
    // Each kind of decision has occurred; a policy on a table without rights is rare.
    const { broken: _, ...frequent } = counts;
    expect(
      Object.values(frequent).every((count) => count > 0),
      JSON.stringify(counts),
    ).toBe(true);
  });
});
