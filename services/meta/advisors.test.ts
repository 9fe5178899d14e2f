/** The advisors through the service. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MetaServer } from './testing/meta-server.ts';

let meta: MetaServer;

beforeAll(async () => {
  meta = await MetaServer.open({
    settings: { PGRST_DB_SCHEMAS: 'public, shop' },
    sql: `
      create schema shop authorization postgres;
      set role postgres;
      create table shop.orders (id int primary key);
      grant select on shop.orders to anon;
      reset role;
    `,
  });
});
afterAll(() => meta.close());

it('GET /pg/advisors returns the findings about the schemas of the data API', async () => {
  const response = await meta.call('/advisors');
  expect(response.status).toBe(200);
  const findings = (await response.json()) as { cache_key: string }[];
  expect(findings.map(({ cache_key: key }) => key)).toEqual(['rls_disabled_in_public_shop_orders']);
});

it('GET /pg/advisors needs the service key', async () => {
  expect((await meta.call('/advisors', { key: meta.apiKeys.anon })).status).toBe(403);
});
