import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { claimsOf } from '../../testing/people.ts';
import { send, type TestResponse } from '../../testing/scenario.ts';
import {
  ethereumWallet,
  type MessageParts,
  signInMessage,
  solanaWallet,
  type Wallet,
} from '../../testing/wallets.ts';

const ON = {
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
  GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
  SITE_URL: 'http://localhost:3000',
  GOTRUE_URI_ALLOW_LIST: 'https://app.example/**',
};

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer(ON);
});
afterAll(() => server.close());

const grant = (body: object, on = server): Promise<TestResponse> =>
  send(on, { method: 'POST', path: '/token?grant_type=web3', body });
const signedBy = (wallet: Wallet, message: string) => ({
  chain: wallet.chain,
  message,
  signature: wallet.sign(message),
});
const signIn = (wallet: Wallet, parts: MessageParts = {}, on = server) =>
  grant(signedBy(wallet, signInMessage(wallet, parts)), on);
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const query = (text: string, ...values: unknown[]) =>
  server.database.admin.query<Record<string, unknown>>({ text, values });
const usersOf = (wallet: Wallet) =>
  query(
    `select user_id from auth.identities where provider_id = $1`,
    `web3:${wallet.chain}:${wallet.address}`,
  );

const wallets: [string, () => Wallet][] = [
  ['Ethereum', ethereumWallet],
  ['Solana', solanaWallet],
];

describe.each(wallets)('a wallet of %s', (_, newWallet) => {
  it('creates an account and finds it again', async () => {
    const wallet = newWallet();
    const id = `web3:${wallet.chain}:${wallet.address}`;
    const first = await signIn(wallet);
    expect(first.status, first.text).toBe(200);
    const claims = {
      address: wallet.address,
      chain: wallet.chain,
      network: wallet.chain === 'ethereum' ? '1' : 'mainnet',
      domain: 'localhost:3000',
      statement: 'Welcome',
    };
    expect(first.json.user).toMatchObject({
      email: '',
      phone: '',
      is_anonymous: false,
      app_metadata: { provider: 'web3', providers: ['web3'] },
      user_metadata: { sub: id, custom_claims: claims },
      identities: [{ provider: 'web3', id, identity_data: { sub: id, custom_claims: claims } }],
    });
    expect(claimsOf(first.json.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'web3' }] });
    const again = await signIn(wallet, { statement: 'Hello again' });
    expect(again.json.user).toMatchObject({
      id: first.json.user.id,
      user_metadata: { custom_claims: { statement: 'Hello again' } },
    });
    expect(again.json.user.identities).toHaveLength(1);
    const log = await query(
      `select payload ->> 'action' as action, payload -> 'traits' ->> 'address' as address
        from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by created_at, action desc`,
      first.json.user.id,
    );
    expect(log).toEqual([
      { action: 'user_signedup', address: null },
      { action: 'login', address: wallet.address },
      { action: 'login', address: wallet.address },
    ]);
  });

  it('signs in with the official client', async () => {
    const { api, close } = await officialClient();
    const wallet = newWallet();
    const message = signInMessage(wallet);
    const signature = wallet.sign(message) as `0x${string}`;
    const { data, error } =
      wallet.chain === 'ethereum'
        ? await api.auth.signInWithWeb3({ chain: 'ethereum', message, signature })
        : await api.auth.signInWithWeb3({
            chain: 'solana',
            message,
            signature: new Uint8Array(Buffer.from(signature, 'base64')),
          });
    expect(error).toBeNull();
    expect(data.user?.app_metadata.provider).toBe('web3');
    expect((await api.auth.getUser()).data.user?.id).toBe(data.user?.id);
    await close();
  });

  it('uses a message only once, also if sent concurrently', async () => {
    const wallet = newWallet();
    for (const _round of ['a new account', 'an account that is there']) {
      const body = signedBy(wallet, signInMessage(wallet));
      const responses = await Promise.all(Array.from({ length: 10 }, () => grant(body)));
      const refused = responses.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(9);
      for (const { status, json } of refused) {
        expect([status, json]).toEqual([
          400,
          { error: 'invalid_grant', error_description: 'Signed message was used already' },
        ]);
      }
    }
    const [owner] = await usersOf(wallet);
    expect(await query('select from auth.sessions where user_id = $1', owner?.user_id)).toHaveLength(2);
  });

  it('creates one account for concurrent messages', async () => {
    const wallet = newWallet();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_item, index) => signIn(wallet, { nonce: `nonce${index}` })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ json }) => json.user.id)).size).toBe(1);
  });

  it.each<[string, () => MessageParts]>([
    ['at the site', () => ({})],
    ['at an allowed URL', () => ({ domain: 'app.example', uri: 'https://app.example/x' })],
    ['with the domain in capitals', () => ({ domain: 'APP.example:443', uri: 'https://app.example/x' })],
    ['a little in the future', () => ({ issuedAt: inMinutes(9) })],
    ['a while ago', () => ({ issuedAt: inMinutes(-9) })],
    ['within its own times', () => ({ notBefore: inMinutes(-1), expiresAt: inMinutes(1) })],
    ['without a statement', () => ({ statement: null })],
  ])('signs in %s', async (_name, parts) => {
    expect(await signIn(newWallet(), parts())).toMatchObject({ status: 200 });
  });

  it.each<[string, () => MessageParts, string]>([
    ['without TLS', () => ({ domain: 'app.example', uri: 'http://app.example/x' }), 'does not use HTTPS'],
    ['over HTTP at a loopback IP address', () => loopback('http:'), 'does not use HTTPS'],
    ['with another scheme', () => ({ uri: 'javascript://localhost:3000/x' }), 'does not use HTTPS'],
    ['for another app', () => ({ domain: 'evil.test', uri: 'https://evil.test/x' }), 'for another app'],
    ["for a domain other than the URI's", () => ({ domain: 'evil.test' }), 'Domain that does not match'],
    ['for another port', () => ({ domain: 'localhost:3001' }), 'Domain that does not match'],
    ['too long ago', () => ({ issuedAt: inMinutes(-11) }), 'too long ago'],
    ['too far in the future', () => ({ issuedAt: inMinutes(11) }), 'too far in the future'],
    ['but expired', () => ({ issuedAt: inMinutes(-5), expiresAt: inMinutes(-1) }), 'is expired'],
    ['but not valid yet', () => ({ notBefore: inMinutes(1) }), 'valid in the future'],
    ['for another address', () => ({ address: newWallet().address }), 'Signature does not match'],
  ])('rejects a message signed %s', async (_name, parts, description) => {
    const { status, json, headers } = await signIn(newWallet(), parts());
    expect([status, json.error]).toEqual([400, 'invalid_grant']);
    expect(json.error_description).toContain(description);
    expect(headers.get('x-sb-error-code')).toBeNull();
  });

  it('rejects a signature of another message', async () => {
    const wallet = newWallet();
    const body = {
      ...signedBy(wallet, signInMessage(wallet)),
      message: signInMessage(wallet, { nonce: 'x' }),
    };
    expect(await grant(body)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await usersOf(wallet)).toEqual([]);
  });

  it('of a banned user is rejected', async () => {
    const wallet = newWallet();
    const { json } = await signIn(wallet);
    await query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, json.user.id);
    expect(await signIn(wallet, { nonce: 'x' })).toMatchObject({
      status: 403,
      json: { error_code: 'user_banned' },
    });
  });
});

function loopback(protocol: string): MessageParts {
  return { domain: '127.0.0.1:3000', uri: `${protocol}//127.0.0.1:3000/x` };
}

/** The official client, with a fake server at the URL that it expects. */
async function officialClient() {
  const api = createClient(server.url.replace(/\/auth\/v1$/, ''), 'key', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  return { api, close: async () => api.auth.dispose?.() };
}

describe('the official client', () => {
  it('creates an accepted message for an Ethereum wallet', async () => {
    const { api, close } = await officialClient();
    const wallet = ethereumWallet();
    const request = async ({ method, params = [] }: { method: string; params?: string[] }) => {
      if (method === 'eth_requestAccounts') return [wallet.address];
      if (method === 'eth_chainId') return '0x89';
      return wallet.sign(Buffer.from((params[0] ?? '').slice(2), 'hex').toString());
    };
    const { data, error } = await api.auth.signInWithWeb3({
      chain: 'ethereum',
      wallet: { request } as never,
      statement: 'Hello',
      options: { url: 'http://localhost:3000/', signInWithEthereum: { resources: ['https://a.example/'] } },
    });
    expect(error).toBeNull();
    expect(data.user?.user_metadata.custom_claims).toMatchObject({ network: '137', statement: 'Hello' });
    await close();
  });

  it.each([undefined, 'Hello'])(
    'creates an accepted message for a Solana wallet, statement %s',
    async (statement) => {
      const { api, close } = await officialClient();
      const wallet = solanaWallet();
      const { data, error } = await api.auth.signInWithWeb3({
        chain: 'solana',
        wallet: {
          publicKey: { toBase58: () => wallet.address },
          signMessage: async (bytes: Uint8Array) =>
            new Uint8Array(Buffer.from(wallet.sign(Buffer.from(bytes).toString()), 'base64')),
        } as never,
        ...(statement === undefined ? {} : { statement }),
        options: {
          url: 'http://localhost:3000/',
          signInWithSolana: { resources: ['https://a.example/'] },
        } as never,
      });
      expect(error).toBeNull();
      expect(data.user?.user_metadata.custom_claims.statement).toBe(statement ?? '');
      await close();
    },
  );
});

describe('the request', () => {
  it.each<[string, object, number, string]>([
    ['no chain', {}, 400, 'web3_unsupported_chain'],
    ['another chain', { chain: 'bitcoin' }, 400, 'web3_unsupported_chain'],
    ['a chain named like an object property', { chain: 'constructor' }, 400, 'web3_unsupported_chain'],
    ['no signature', { chain: 'solana', message: 'x'.repeat(64) }, 400, 'validation_failed'],
    [
      'a short message',
      { chain: 'solana', message: 'x', signature: 'A'.repeat(86) },
      400,
      'validation_failed',
    ],
    ['fields of other types', { chain: 'solana', message: 1 }, 400, 'bad_json'],
  ])('is rejected with %s', async (_, body, status, code) => {
    expect(await grant(body)).toMatchObject({ status, json: { error_code: code } });
  });

  it.each([
    ['both chains are disabled', {}, 'ethereum', 'Web3 provider is disabled'],
    [
      'only the other chain is enabled',
      { GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true' },
      'solana',
      'Solana Web3 provider is disabled',
    ],
    [
      'only the other chain is enabled',
      { GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'true' },
      'ethereum',
      'Ethereum Web3 provider is disabled',
    ],
  ])('is rejected if %s', async (_, env, chain, message) => {
    const other = await startAuthServer(env, server);
    expect(await grant({ chain }, other)).toMatchObject({
      status: 422,
      json: { error_code: 'web3_provider_disabled', msg: message },
    });
    await other.close();
  });

  it('creates no account if sign-up is disabled', async () => {
    const closed = await startAuthServer({ ...ON, GOTRUE_DISABLE_SIGNUP: 'true' }, server);
    const wallet = ethereumWallet();
    expect(await signIn(wallet, {}, closed)).toMatchObject({
      status: 422,
      json: { error_code: 'signup_disabled' },
    });
    await signIn(wallet);
    expect(await signIn(wallet, { nonce: 'x' }, closed)).toMatchObject({ status: 200 });
    await closed.close();
  });

  it('may use a loopback IP address if that is the site', async () => {
    const local = await startAuthServer({ ...ON, SITE_URL: 'http://127.0.0.1:3000' }, server);
    expect(await signIn(ethereumWallet(), loopback('http:'), local)).toMatchObject({ status: 200 });
    await local.close();
  });

  it('has its own rate limit', async () => {
    const limited = await startAuthServer({ ...ON, GOTRUE_RATE_LIMIT_HEADER: 'x-real-ip' }, server);
    const call = (path: string) =>
      send(limited, { method: 'POST', path, headers: { 'x-real-ip': 'a' }, body: {} });
    const statuses = await Promise.all(Array.from({ length: 31 }, () => call('/token?grant_type=web3')));
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await call('/token?grant_type=password')).status).toBe(400);
    await limited.close();
  });
});

it('finds an account whose address was stored with its checksum', async () => {
  const wallet = ethereumWallet();
  const { json } = await signIn(wallet);
  const { chains } = await import('./chains.ts');
  const [, checksummed] = chains.ethereum.addressForms(wallet.address);
  await query(
    'update auth.identities set provider_id = $1 where user_id = $2',
    `web3:ethereum:${checksummed}`,
    json.user.id,
  );
  expect(await signIn(wallet, { nonce: 'x' })).toMatchObject({ json: { user: { id: json.user.id } } });
});

it('deletes expired messages', async () => {
  const old = await query(
    `insert into auth.signed_messages values (sha256('old'), now() - interval '1 s') returning digest`,
  );
  await signIn(solanaWallet());
  const stored = await query('select digest from auth.signed_messages');
  expect(stored.length).toBeGreaterThan(0);
  expect(stored).not.toContainEqual(old[0]);
});
