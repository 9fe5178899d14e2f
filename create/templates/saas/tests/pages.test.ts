/** The pages and the webhook, with requests as browsers and the payment provider send them. */
import { createHmac } from 'node:crypto';
import { startTestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../app/features/billing/standard-webhooks.server.ts';
import type { Database } from '../database.types.ts';
import { addMember, createTeam, type Instance, invitedToken, type User } from './fixture.ts';

const KEY = Buffer.from('a key that only tests know');

let instance: Instance;
let ada: User;
let grace: User;
let team: string;

beforeAll(async () => {
  process.env.PAYMENTS_WEBHOOK_SECRET = `whsec_${KEY.toString('base64')}`;
  process.env.PAYMENTS_CHECKOUT_URL = 'https://pay.example.org/buy?reference={team}&plan={plan}';
  instance = await startTestInstance<Database>({ pages: true });
  ada = await instance.asUser();
  grace = await instance.asUser();
  team = await createTeam(ada, 'acme');
}, 180_000);

afterAll(() => instance.close());

/** Requests a page as a user; with fields, it sends a form. */
async function visit(path: string, user?: User, fields?: Record<string, string>) {
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
  const visitor = { headers: { accept: 'text/html' }, redirect: 'manual' as const, ...form };
  const response = await (user ? user.fetch(path, form) : fetch(instance.url + path, visitor));
  // React separates texts by comments.
  const html = (await response.text()).replaceAll('<!-- -->', '');
  return {
    status: response.status,
    location: response.headers.get('location'),
    html,
    headers: response.headers,
  };
}

describe('the pages for visitors', () => {
  it('introduce the product and its prices', async () => {
    expect((await visit('/')).html).toContain('Start for free');
    const { html } = await visit('/pricing');
    for (const text of ['€0', '€19', '€99', '20 members']) expect(html).toContain(text);
  });

  it('lead users to their teams', async () => {
    expect(await visit('/', ada)).toMatchObject({ status: 302, location: '/teams' });
    expect(await visit('/teams')).toMatchObject({ status: 302, location: '/login' });
  });
});

describe('the pages of a team', () => {
  it('create a team with an address from its name', async () => {
    const outcome = await visit('/teams/new', grace, { intent: 'create', name: 'Café & Co.', slug: '' });
    expect(outcome).toMatchObject({ status: 302, location: '/teams/cafe-co' });
    expect((await visit('/teams', grace)).html).toContain('Café &amp; Co.');
    const taken = await visit('/teams/new', ada, { intent: 'create', name: 'Other', slug: 'cafe-co' });
    expect(taken.status).toBe(422);
    expect(taken.html).toContain('Another team has this address. Choose another one.');
  });

  it.each(['', '/members', '/billing', '/settings'])(
    'do not exist for others: /teams/acme%s',
    async (path) => {
      expect((await visit(`/teams/acme${path}`, grace)).status).toBe(404);
      expect((await visit(`/teams/acme${path}`, ada)).status).toBe(200);
    },
  );

  it('add, change and delete a project', async () => {
    const { location } = await visit('/teams/acme?index', ada, { intent: 'add', name: 'Website' });
    expect(location).toMatch(/^\/teams\/acme\/projects\/[0-9a-f-]{36}$/);
    const path = location ?? '';
    const fields = { intent: 'save', name: 'Website', description: 'With prices', status: 'paused' };
    expect((await visit(path, ada, fields)).html).toContain('The project is saved.');
    expect((await visit('/teams/acme', ada)).html).toContain('With prices');
    expect((await visit(path, grace, { intent: 'delete' })).status).toBe(404);
    expect(await visit(path, ada, { intent: 'delete' })).toMatchObject({ location: '/teams/acme' });
    expect((await visit(path, ada)).status).toBe(404);
    expect((await visit('/teams/acme/projects/1', ada)).status).toBe(404);
  });

  it('rename a team, and delete it only if its address is typed', async () => {
    await createTeam(ada, 'typo');
    const rename = { intent: 'rename', name: 'Typed', slug: 'typed' };
    const renamed = await visit('/teams/typo/settings', ada, rename);
    expect(renamed.location).toBe('/teams/typed/settings');
    const wrong = await visit('/teams/typed/settings', ada, { intent: 'delete', confirmation: 'typo' });
    expect([wrong.status, wrong.html.includes('Type typed to confirm.')]).toEqual([422, true]);
    const deleted = await visit('/teams/typed/settings', ada, { intent: 'delete', confirmation: 'typed' });
    expect(deleted.location).toBe('/teams');
    expect((await visit('/teams/typed', ada)).status).toBe(404);
  });

  it('change roles, remove members, and explain refusals', async () => {
    const shared = await createTeam(ada, 'shared');
    await addMember(instance, shared, grace, 'member');
    const act = (user: User, fields: Record<string, string>) => visit('/teams/shared/members', user, fields);
    const refused = await act(grace, { intent: 'role', id: grace.id, role: 'owner' });
    expect([refused.status, refused.html.includes('Your role does not allow this.')]).toEqual([422, true]);
    const last = await act(ada, { intent: 'remove', id: ada.id });
    expect(last.html).toContain('A team needs an owner. Make another member the owner first.');
    await act(ada, { intent: 'role', id: grace.id, role: 'owner' });
    expect(await act(ada, { intent: 'remove', id: ada.id })).toMatchObject({
      status: 302,
      location: '/teams',
    });
  });
});

describe('an invitation', () => {
  it('is sent, survives the sign-in, and leads its user to the team', async () => {
    const email = 'invited@example.org';
    const sent = await visit('/teams/acme/members', ada, { intent: 'invite', email, role: 'member' });
    expect(sent.html).toContain(`An invitation was sent to ${email}.`);
    const path = `/invitations/${await invitedToken(instance, email)}`;

    const shown = await visit(path);
    expect(shown.html).toContain('Join acme');
    expect(shown.html).toContain(`href="${path}/join"`);
    const join = await visit(`${path}/join`);
    expect(join).toMatchObject({ status: 302, location: '/login' });
    expect(decodeURIComponent(join.headers.get('set-cookie') ?? '')).toContain(`redirect-path=${path}/join`);
    expect(await visit(path, undefined, { intent: 'accept' })).toMatchObject({ location: '/login' });

    expect((await visit(path, grace)).html).toContain('Sign out, and sign in with the');
    expect((await visit(path, grace, { intent: 'accept' })).status).toBe(422);
    const guest = await instance.asUser({ email });
    expect((await visit(`${path}/join`, guest)).location).toBe(path);
    expect((await visit(path, guest)).html).toContain('Accept invitation');
    expect((await visit(path, guest, { intent: 'accept' })).location).toBe('/teams/acme');
    expect((await visit(path, guest)).html).toContain('This invitation is not valid');
  });
});

describe('the webhook of payments', () => {
  const now = () => Math.floor(Date.now() / 1000);

  function event(plan_id: string, changes: Record<string, unknown> = {}): string {
    const data = { team_id: team, plan_id, status: 'active', customer_id: 'c', current_period_end: null };
    return JSON.stringify({
      type: 'subscription.updated',
      timestamp: new Date().toISOString(),
      data,
      ...changes,
    });
  }

  function send(body: string, { id = crypto.randomUUID() as string, timestamp = now(), key = KEY } = {}) {
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,wrong v1,${signature}`,
    };
    return fetch(`${instance.url}/api/payments`, { method: 'POST', headers, body });
  }

  async function planOf(): Promise<string | undefined> {
    const { data } = await ada.client
      .from('subscriptions')
      .select('plan_id')
      .eq('team_id', team)
      .maybeSingle();
    return data?.plan_id;
  }

  it('changes the plan of a team, once for each event and never back in time', async () => {
    const id = crypto.randomUUID();
    const first = event('pro');
    expect((await send(first, { id })).status).toBe(204);
    expect(await planOf()).toBe('pro');
    expect((await visit('/teams/acme/billing', ada)).html).toContain('Plan Pro');
    expect((await send(event('business'))).status).toBe(204);
    expect((await send(first, { id })).status).toBe(204);
    expect((await send(first)).status).toBe(204);
    expect(await planOf()).toBe('business');
  });

  it('refuses other signatures, old events and wrong values', async () => {
    const before = await planOf();
    expect((await send(event('free'), { key: Buffer.from('another key') })).status).toBe(401);
    expect((await send(event('free'), { timestamp: now() - 301 })).status).toBe(401);
    const unsigned = await fetch(`${instance.url}/api/payments`, { method: 'POST', body: event('free') });
    expect(unsigned.status).toBe(401);
    expect((await send('{}')).status).toBe(400);
    expect((await send(event('unknown'))).status).toBe(422);
    expect((await send(event('free', { type: 'invoice.paid' }))).status).toBe(204);
    expect(await planOf()).toBe(before);
  });

  it('accepts the example of the specification, and nothing else', () => {
    const example = {
      headers: new Headers({
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      }),
      body: '{"test": 2432232314}',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      now: 1_614_265_330_000,
    };
    expect(verifyWebhook(example)).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
    expect(verifyWebhook({ ...example, body: '{"test": 2432232315}' })).toBeUndefined();
    expect(verifyWebhook({ ...example, now: 1_614_265_631_000 })).toBeUndefined();
    expect(() => verifyWebhook({ ...example, secret: 'secret' })).toThrow('whsec_');
  });
});
