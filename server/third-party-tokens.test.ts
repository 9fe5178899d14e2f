/** Tokens of a real OpenID Connect provider, with official clients of a whole instance. */
import { type OpenidProvider, startOpenidProvider } from '@greenroom/testing/openid-provider';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OfficialInstance, startOfficialInstance } from './testing/official-instance.ts';

const SETUP = [
  "create table public.orders (id int primary key, owner text default auth.jwt() ->> 'sub')",
  'alter table public.orders enable row level security',
  "create policy own on public.orders to authenticated using (owner = auth.jwt() ->> 'sub')",
  'grant select, insert on public.orders to anon, authenticated',
  "insert into public.orders values (1, 'ada'), (2, 'bob')",
  `create policy topics on realtime.messages to authenticated
    using (realtime.topic() = auth.jwt() ->> 'sub') with check (realtime.topic() = auth.jwt() ->> 'sub')`,
  `create policy files on storage.objects to authenticated
    using (bucket_id = 'orders' and owner_id = auth.jwt() ->> 'sub')
    with check (bucket_id = 'orders' and owner_id = auth.jwt() ->> 'sub')`,
  "notify pgrst, 'reload schema'",
];

let provider: OpenidProvider;
let instance: OfficialInstance;

beforeAll(async () => {
  provider = await startOpenidProvider('http://127.0.0.1/callback');
  instance = await startOfficialInstance({
    GREENROOM_THIRD_PARTY_WORKOS_ENABLED: 'true',
    GREENROOM_THIRD_PARTY_WORKOS_ISSUER_URL: provider.issuer,
  });
  await instance.database.batch(SETUP.map((text) => ({ text })));
  const { error } = await instance.service().storage.createBucket('orders');
  expect(error).toBeNull();
});
afterAll(async () => {
  await instance?.close();
  await provider?.close();
});

/** A client whose sessions are those of the provider. */
function clientOf(token: () => Promise<string>): SupabaseClient {
  const { url, backend } = instance.greenroom;
  return createClient(url, backend?.apiKeys.publishable ?? '', { accessToken: token });
}

const ada = () => provider.idToken({ sub: 'ada', role: 'authenticated' });
const withoutRole = () => provider.idToken({ sub: 'ada' });

describe('the data API', () => {
  it('runs requests as the role and with the claims of the token', async () => {
    await expect
      .poll(async () => (await clientOf(ada).from('orders').select()).data)
      .toEqual([{ id: 1, owner: 'ada' }]);
  });

  it('treats a token without a role as anonymous', async () => {
    expect(await clientOf(withoutRole).from('orders').select()).toMatchObject({ data: [], error: null });
  });

  it('rejects an expired token', async () => {
    const exp = Math.floor(Date.now() / 1000) - 3600;
    const { error } = await clientOf(() => provider.idToken({ sub: 'ada', exp }))
      .from('orders')
      .select();
    expect(error).toMatchObject({ code: 'PGRST303', message: 'JWT expired' });
  });
});

describe('storage', () => {
  it('runs requests as the role and with the claims of the token', async () => {
    const { storage } = clientOf(ada);
    expect((await storage.from('orders').upload('one.txt', 'one')).error).toBeNull();
    expect((await storage.from('orders').list()).data).toMatchObject([{ name: 'one.txt' }]);
  });

  it('treats a token without a role as anonymous', async () => {
    const { storage } = clientOf(withoutRole);
    expect((await storage.from('orders').list()).data).toEqual([]);
    expect((await storage.from('orders').upload('two.txt', 'two')).error?.message).toMatch(
      'row-level security',
    );
  });
});

describe('realtime', () => {
  async function join(client: SupabaseClient, topic: string): Promise<string> {
    await client.realtime.setAuth();
    const { promise, resolve } = Promise.withResolvers<string>();
    const channel = client.channel(topic, { config: { private: true } });
    channel.subscribe((status, error) => {
      if (status !== 'CLOSED') resolve(error === undefined ? status : `${status}: ${error.message}`);
    });
    try {
      return await promise;
    } finally {
      await client.removeAllChannels();
      await client.realtime.disconnect();
    }
  }

  it('evaluates policies with the role and the claims of the token', async () => {
    expect(await join(clientOf(ada), 'ada')).toBe('SUBSCRIBED');
    expect(await join(clientOf(ada), 'bob')).toMatch('CHANNEL_ERROR: Unauthorized');
  });

  it('rejects a token without a role', async () => {
    expect(await join(clientOf(withoutRole), 'ada')).toMatch('Fields `role` and `exp` are required in JWT');
  });

  it('accepts a token that replaces the one of the join', async () => {
    const client = clientOf(ada);
    await client.realtime.setAuth();
    const channel = client.channel('ada', { config: { private: true } });
    const states: string[] = [];
    await new Promise<void>((done) => {
      channel.subscribe((status) => {
        states.push(status);
        if (status === 'SUBSCRIBED') done();
      });
    });
    await client.realtime.setAuth(await provider.idToken({ sub: 'ada', role: 'authenticated', n: 2 }));
    expect(await channel.send({ type: 'broadcast', event: 'x', payload: {} })).toBe('ok');
    await client.realtime.setAuth(await provider.idToken({ sub: 'ada', role: 'none' }));
    await expect.poll(() => states.at(-1)).not.toBe('SUBSCRIBED');
    await client.removeAllChannels();
    await client.realtime.disconnect();
  });
});

describe('the auth service', () => {
  const request = async (path: string, token: string) => {
    const { url, backend } = instance.greenroom;
    const headers = { apikey: backend?.apiKeys.publishable ?? '', authorization: `Bearer ${token}` };
    const response = await fetch(`${url}${path}`, { headers });
    return [response.status, ((await response.json()) as { error_code?: string }).error_code];
  };

  it.each([
    ['the user endpoint', '/auth/v1/user', 'authenticated'],
    ['the admin API', '/auth/v1/admin/users', 'service_role'],
  ])('rejects these tokens at %s', async (_, path, role) => {
    const token = await provider.idToken({ sub: '7c1c4d1e-0000-4000-8000-000000000000', role });
    expect(await request(path, token)).toEqual([403, 'bad_jwt']);
  });
});

it('does not accept these tokens as API keys', async () => {
  const { url } = instance.greenroom;
  const apikey = await provider.idToken({ sub: 'ada', role: 'service_role' });
  for (const path of ['/rest/v1/orders', '/auth/v1/settings']) {
    expect((await fetch(url + path, { headers: { apikey } })).status).toBe(401);
  }
});
