import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('realtime.node_log', () => {
  it('has row-level security without policies, and is unlogged', async () => {
    const [table] = await database.admin.query({
      text: `select relrowsecurity, relpersistence, relowner::regrole::text as owner,
        (select count(*)::int from pg_policy where polrelid = pg_class.oid) as policies
        from pg_class where oid = 'realtime.node_log'::regclass`,
    });
    expect(table).toEqual({
      relrowsecurity: true,
      relpersistence: 'u',
      owner: 'supabase_realtime_admin',
      policies: 0,
    });
  });

  it.each(['anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin'])(
    'is not accessible to %s',
    async (role) => {
      for (const right of ['select', 'insert', 'update', 'delete']) {
        const [row] = await database.admin.query({
          text: `select has_table_privilege($1, 'realtime.node_log', $2) as may`,
          values: [role, right],
        });
        expect([right, row?.may]).toEqual([right, false]);
      }
    },
  );
});
