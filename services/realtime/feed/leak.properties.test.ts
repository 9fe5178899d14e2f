/**
 * Payloads contain exactly the rows and columns that the subscriber can select in plain SQL at that moment. Policies,
 * privileges, writes, filters and subscribers are random. The test determines the expected rows on another connection,
 * as the role of the subscriber. `PROPERTY_SECONDS=300 npx vitest run services/realtime` runs it longer, and
 * `PROPERTY_SEED` sets the first seed.
 */
import { randomUUID } from 'node:crypto';
import { PROPERTY_SEED } from '@greenroom/testing/property-seed';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Identity } from './feed.ts';
import { Oracle } from './testing/oracle.ts';
import { ANON, type ChangeData, type TestChannel, TestFeed, userIdentity } from './testing/test-feed.ts';

const SECONDS = Number(process.env.PROPERTY_SECONDS ?? 3);
/** Number of runs between two checks of the remaining time. */
const RUNS_PER_SEED = 3;

const GUEST = 'feed_guest';
const ROLES = ['anon', 'authenticated', GUEST] as const;
const TABLES = ['plain', 'whole'] as const;
const COLUMNS = ['id', 'owner', 'level', 'secret'] as const;
const IDENTITIES: readonly Identity[] = [
  ANON,
  userIdentity('ann'),
  userIdentity('bob'),
  userIdentity('ann', GUEST),
];

type Table = (typeof TABLES)[number];
type Row = Record<string, unknown>;

/** An executed change, with the row before and after. */
interface TableChange {
  table: Table;
  type: 'INSERT' | 'UPDATE' | 'DELETE';
  row: Row;
  old: Row;
}

let test: TestFeed;
let oracle: Oracle;
let marks = 0;
const done = { changes: 0, delivered: 0, hidden: 0, withheld: 0 };

beforeAll(async () => {
  test = await TestFeed.open(`
    do $role$ begin
      if not exists (select from pg_roles where rolname = '${GUEST}') then create role ${GUEST}; end if;
    end $role$;
    grant ${GUEST} to authenticator;
    revoke usage on schema public from public;
    create schema marking; grant usage on schema marking to public;
    create table marking.marks (id int primary key); grant select on marking.marks to public;
    create table plain (id int primary key, owner text, level int, secret text);
    create table whole (like plain including all); alter table whole replica identity full;
    alter publication supabase_realtime add table marking.marks, plain, whole`);
  oracle = new Oracle(test.database.url);
});
afterAll(async () => {
  await oracle.close();
  await test.close();
});

const tables = fc.constantFrom(...TABLES);
const ids = fc.integer({ min: 1, max: 4 });
const owners = fc.constantFrom("'ann'", "'bob'", 'null');
const levels = fc.constantFrom('0', '1', '2', 'null');
const policies = fc.constantFrom(
  'true',
  'false',
  "owner = auth.jwt() ->> 'sub'",
  'level > 0',
  '2 / level > 1',
  "auth.role() = 'authenticated'",
  'exists (select from whole as w where w.id = plain.id)',
);

/** Statements that write rows. */
const writes = fc.oneof(
  fc
    .tuple(tables, ids, owners, levels)
    .map(
      ([table, id, owner, level]) =>
        `insert into ${table} values (${id}, ${owner}, ${level}, 'secret ' || ${id}) on conflict do nothing`,
    ),
  fc
    .tuple(tables, ids, owners, levels)
    .map(
      ([table, id, owner, level]) =>
        `update ${table} set owner = ${owner}, level = ${level} where id = ${id}`,
    ),
  fc.tuple(tables, ids, ids).map(
    ([table, id, to]) => `update ${table} set id = ${to} + 10 * (${to} % 2) where id = ${id}
      and not exists (select from ${table} where id = ${to} + 10 * (${to} % 2))`,
  ),
  fc.tuple(tables, ids).map(([table, id]) => `delete from ${table} where id = ${id}`),
);

/** Statements that change policies and privileges. */
const rules = fc.oneof(
  fc
    .tuple(tables, fc.constantFrom(true, true, true, false))
    .map(([table, on]) => `alter table ${table} ${on ? 'enable' : 'disable'} row level security`),
  fc.tuple(tables, fc.constantFrom(...ROLES, 'public'), policies).map(
    ([table, role, policy]) =>
      `create policy "${randomUUID()}" on ${table} for select to ${role}
        using (${policy.replace('plain.id', `${table}.id`).replace('from whole as', table === 'whole' ? 'from plain as' : 'from whole as')})`,
  ),
  fc
    .tuple(tables, fc.constantFrom(...ROLES), fc.subarray([...COLUMNS]))
    .map(([table, role, columns]) =>
      columns.length === 0
        ? `revoke all on ${table} from ${role}`
        : `do $$ begin revoke all on ${table} from ${role}; grant select (${columns.join(', ')}) on ${table} to ${role}; end $$`,
    ),
  fc.tuple(tables, fc.constantFrom(...ROLES)).map(([table, role]) => `grant select on ${table} to ${role}`),
  fc
    .boolean()
    .map((on) =>
      on ? `grant usage on schema public to ${GUEST}` : `revoke usage on schema public from ${GUEST}`,
    ),
);

const filters = fc.constantFrom(
  'owner=eq.ann',
  'level=gt.0',
  'level=not.eq.1',
  'secret=like.%1',
  'id=in.(1,2)',
  'owner=is.null',
);
const selects = fc.subarray(['owner', 'level', 'secret'], { minLength: 1 });
const transactions = fc.array(fc.oneof({ weight: 3, arbitrary: writes }, { weight: 1, arbitrary: rules }), {
  minLength: 1,
  maxLength: 5,
});
const runs = fc.record({
  rules: fc.array(rules, { minLength: 3, maxLength: 8 }),
  entries: fc.record({ filter: filters, select: selects }),
  transactions: fc.array(transactions, { minLength: 4, maxLength: 16, size: 'max' }),
});

const SQL_OF_FILTER: Record<string, string> = {
  'owner=eq.ann': "owner = 'ann'",
  'level=gt.0': 'level > 0',
  'level=not.eq.1': 'not level = 1',
  'secret=like.%1': "secret like '%1'",
  'id=in.(1,2)': 'id in (1, 2)',
  'owner=is.null': 'owner is null',
};

it(
  `delivers only what plain SQL returns (seed ${PROPERTY_SEED})`,
  async () => {
    const property = fc.asyncProperty(runs, async ({ rules: before, entries, transactions: all }) => {
      await reset();
      const channels = await Promise.all(IDENTITIES.map((identity) => subscribeAs(identity, entries)));
      await transact(before);
      try {
        for (const statements of all) await checkTransaction(statements, channels, entries);
      } finally {
        for (const channel of channels) channel.close();
      }
    });
    const end = Date.now() + SECONDS * 1000;
    for (let seed = PROPERTY_SEED; Date.now() < end; seed += 1) {
      await fc.assert(property, { seed, numRuns: RUNS_PER_SEED, endOnFailure: true });
    }
    if (process.env.PROPERTY_SECONDS !== undefined) process.stdout.write(`${JSON.stringify(done)}\n`);
    // The test is only meaningful if many changes are visible and many are hidden.
    expect(done.delivered).toBeGreaterThan(done.changes / 20);
    expect(done.hidden).toBeGreaterThan(done.changes / 20);
  },
  (SECONDS + 60) * 1000,
);

/** Removes all rows and policies, and grants select on everything to all roles. */
async function reset(): Promise<void> {
  await test.run(`
    truncate plain, whole;
    alter table plain disable row level security; alter table whole disable row level security;
    grant usage on schema public to ${GUEST};
    grant select on plain, whole to ${ROLES.join(', ')};
    do $policies$ declare p record; begin
      for p in select policyname, tablename from pg_policies where tablename in ('plain', 'whole') loop
        execute format('drop policy %I on %I', p.policyname, p.tablename);
      end loop;
    end $policies$`);
}

/** Subscribes to each table three times: to all changes, with a filter, and with selected columns. */
function subscribeAs(
  identity: Identity,
  { filter, select }: { filter: string; select: string[] },
): Promise<TestChannel> {
  return test.subscribe(
    [
      ...TABLES.flatMap((table) => [
        { schema: 'public', table },
        { schema: 'public', table, filter },
        { schema: 'public', table, select },
      ]),
      { schema: 'marking', table: 'marks' },
    ],
    identity,
  );
}

/** Runs statements in one transaction. Returns the changes. */
async function transact(statements: readonly string[]): Promise<TableChange[]> {
  return test.database.admin.transaction(async (tx) => {
    const tableChanges: TableChange[] = [];
    for (const statement of statements) {
      const [, action = '', table] = /^(insert|update|delete) (?:into |from )?(\w+)/.exec(statement) ?? [];
      if (table === undefined) {
        await tx.query({ text: statement });
        continue;
      }
      const before = await tx.query<{ row: Row }>({ text: `select to_jsonb(t) as row from ${table} t` });
      const touched = await tx.query<{ row: Row }>({
        text: `${statement} returning to_jsonb(${table}) as row`,
      });
      for (const { row } of touched) {
        const after = await tx.query<{ row: Row }>({ text: `select to_jsonb(t) as row from ${table} t` });
        const deleted = before.find(({ row: { id } }) => !after.some((other) => other.row.id === id));
        const old = (deleted ?? before.find(({ row: { id } }) => id === row.id))?.row ?? row;
        tableChanges.push({
          table: table as Table,
          type: action.toUpperCase() as TableChange['type'],
          row,
          old,
        });
      }
    }
    return tableChanges;
  });
}

async function checkTransaction(
  statements: readonly string[],
  channels: readonly TestChannel[],
  entries: { filter: string; select: string[] },
): Promise<void> {
  const from = channels.map(({ deliveries }) => deliveries.length);
  const tableChanges = await transact(statements);
  marks += 1;
  await test.database.admin.query({ text: 'insert into marking.marks values ($1)', values: [marks] });
  await Promise.all(
    IDENTITIES.map(async (identity, index) => {
      const received = await changesUntilMark(channels[index] as TestChannel, from[index] ?? 0);
      const readable = new Map<Table, string[]>();
      for (const table of TABLES) readable.set(table, await readableColumns(identity, table));
      const expected = tableChanges.map((change) =>
        expectedOf(identity, change, readable.get(change.table) ?? [], entries),
      );
      done.changes += tableChanges.length;
      expect(received, JSON.stringify({ statements, identity })).toEqual(
        (await Promise.all(expected)).flat(),
      );
    }),
  );
}

/**
 * Returns the columns with select privilege. It does not query the table, because a policy may fail for other reasons.
 */
async function readableColumns({ role }: Identity, table: Table): Promise<string[]> {
  const readable = await oracle.value(
    `select array(
      select name from unnest($3::text[]) as name
      where has_schema_privilege($1, 'public', 'usage') and has_column_privilege($1, $2::regclass, name, 'select')
    ) as value`,
    [role, table, COLUMNS],
  );
  return readable as string[];
}

/** Returns the received ids and payloads up to the last mark. */
async function changesUntilMark(channel: TestChannel, from: number): Promise<unknown[]> {
  for (let count = from + 1; ; count += 1) {
    await channel.waitForChanges(count);
    const { ids: [id] = [], data } = channel.deliveries[count - 1] ?? {};
    if (id === TABLES.length * 3 + 1 && JSON.parse(data ?? '').record.id === marks) break;
  }
  return channel.deliveries
    .slice(from, -1)
    .flatMap(({ ids: matched, data }) => matched.map((id) => ({ id, ...essence(JSON.parse(data)) })));
}

function essence({ type, table, record, old_record, columns, errors }: ChangeData) {
  return { type, table, record, old_record, columns: columns.map(({ name }) => name), errors };
}

/** Returns the expected deliveries of a change, determined by what plain SQL shows to the subscriber. */
async function expectedOf(
  identity: Identity,
  { table, type, row, old }: TableChange,
  readable: readonly string[],
  { filter, select }: { filter: string; select: string[] },
): Promise<unknown[]> {
  const hasRls = await oracle.value('select relrowsecurity as value from pg_class where oid = $1::regclass', [
    table,
  ]);
  const image = type === 'DELETE' ? old : row;
  const filterColumn = filter.split('=')[0] ?? '';
  // The log contains only the key of a deleted row, except under REPLICA IDENTITY FULL.
  const isKnown = type !== 'DELETE' || table === 'whole' || filterColumn === 'id';
  const isMatching =
    isKnown &&
    (await oracle.value(
      `select coalesce(${SQL_OF_FILTER[filter]}, false) as value from jsonb_populate_record(null::${table}, $1)`,
      [JSON.stringify(image)],
    ));
  const isWithheld = type !== 'DELETE' && !readable.includes('id');
  // If no policy is evaluated for the row, a filter must not reveal more than the key of a deleted row.
  const isUnchecked = hasRls === true && (isWithheld || (type === 'DELETE' && filterColumn !== 'id'));
  const isAllowed = isMatching === true && readable.includes(filterColumn) && !isUnchecked;
  const first = TABLES.indexOf(table) * 3 + 1;
  if (isWithheld) {
    done.withheld += 1;
    const withheld = {
      type,
      table,
      record: {},
      old_record: undefined,
      columns: [],
      errors: ['Error 401: Unauthorized'],
    };
    return [first, ...(isAllowed ? [first + 1] : []), first + 2].map((id) => ({ id, ...withheld }));
  }
  if (type !== 'DELETE' && hasRls && !(await oracle.sees(identity, table, row.id))) {
    done.hidden += 1;
    return [];
  }
  done.delivered += 1;
  const deliveryOf = (id: number, selected: readonly string[]) => {
    const shown = readable.filter((column) => selected.includes(column));
    const cut = (from: Row, to: readonly string[]) =>
      Object.fromEntries(
        shown.filter((column) => to.includes(column)).map((column) => [column, from[column]]),
      );
    const oldColumns = table === 'whole' && !(type === 'DELETE' && hasRls) ? COLUMNS : ['id'];
    return {
      id,
      type,
      table,
      record: type === 'DELETE' ? undefined : cut(row, COLUMNS),
      old_record: type === 'INSERT' ? undefined : cut(old, oldColumns),
      columns: shown,
      errors: null,
    };
  };
  return [
    deliveryOf(first, COLUMNS),
    ...(isAllowed ? [deliveryOf(first + 1, COLUMNS)] : []),
    deliveryOf(first + 2, ['id', ...select]),
  ];
}
