/** The mailbox of administrators, with a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listMessages, openMailbox, readMessage } from './index.ts';
import { type OutboxFixture, openOutboxFixture } from './testing/outbox.ts';

let outbox: OutboxFixture;

beforeAll(async () => {
  outbox = await openOutboxFixture();
  const noDelivery = { mail: false, sms: false };
  for (const recipient of ['ann@example.org', 'Bob@example.org', '100%_\\@example.org']) {
    const message = {
      channel: 'mail',
      kind: 'recovery',
      recipient,
      subject: 'Hello',
      text: 'Code 1',
    } as const;
    await outbox.put({ ...message, link: 'https://room.example/x' }, noDelivery);
  }
  await outbox.put({ channel: 'sms', kind: 'mfa', recipient: '15550100', text: 'Code 2' }, noDelivery);
});
afterAll(() => outbox.close());

describe('listMessages', () => {
  it.each([
    [{}, ['15550100', '100%_\\@example.org', 'Bob@example.org', 'ann@example.org'], 4],
    [{ perPage: 3 }, ['15550100', '100%_\\@example.org', 'Bob@example.org'], 4],
    [{ perPage: 3, page: 2 }, ['ann@example.org'], 4],
    [{ perPage: 3, page: 3 }, [], 4],
    [{ perPage: 0, page: -1 }, ['15550100'], 4],
    [{ perPage: Number.NaN, page: 1e300 }, [], 4],
    [{ search: 'bob@' }, ['Bob@example.org'], 1],
    [{ search: 'HELLO', perPage: 1 }, ['100%_\\@example.org'], 3],
    [{ search: 'mfa' }, ['15550100'], 1],
    [{ search: '%_\\' }, ['100%_\\@example.org'], 1],
    [{ search: "' or true --" }, [], 0],
    [{ channel: 'sms' as const }, ['15550100'], 1],
    [{ channel: 'mail' as const, search: 'bob', perPage: 1 }, ['Bob@example.org'], 1],
    [{ channel: 'whatsapp' as const }, [], 0],
  ])('returns for %j the recipients %j', async (query, recipients, total) => {
    const page = await listMessages(outbox.database.admin, query);
    expect(page.messages.map(({ recipient }) => recipient)).toEqual(recipients);
    expect(page.total).toBe(total);
  });

  it('shows no codes', async () => {
    const { messages } = await listMessages(outbox.database.admin);
    expect(JSON.stringify(messages)).not.toMatch(/Code|room\.example/);
  });

  it('is not readable for a service', async () => {
    await expect(listMessages(outbox.database.auth)).rejects.toThrow('permission denied');
  });
});

describe('readMessage', () => {
  it('returns the whole message', async () => {
    const { messages } = await listMessages(outbox.database.admin, { search: 'ann@' });
    expect(await readMessage(outbox.database.admin, messages[0]?.id ?? '')).toMatchObject({
      recipient: 'ann@example.org',
      state: 'kept',
      text_body: 'Code 1',
      link: 'https://room.example/x',
    });
  });

  it.each(['', 'x', "' or true --", '00000000-0000-4000-8000-000000000000'])(
    'returns undefined for the id %j',
    async (id) => {
      expect(await readMessage(outbox.database.admin, id)).toBeUndefined();
    },
  );
});

describe('deleting from the mailbox', () => {
  const states = async () => (await outbox.rows()).map(({ recipient, state }) => `${recipient} ${state}`);

  it('removes one message, or all except queued ones', async () => {
    const mailbox = openMailbox(outbox.database.admin);
    const mail = {
      channel: 'mail',
      kind: 'recovery',
      recipient: 'waits@example.org',
      text: 'Code 3',
    } as const;
    const before = await states();
    await outbox.put(mail);
    await outbox.put({ ...mail, recipient: 'goes@example.org' });
    const { messages } = await mailbox.list({ search: 'goes@' });
    expect(await mailbox.remove(messages[0]?.id ?? '')).toBe(true);
    expect(await mailbox.remove(messages[0]?.id ?? '')).toBe(false);
    expect(await mailbox.remove("' or true --")).toBe(false);
    expect(await states()).toEqual([...before, 'waits@example.org queued']);
    await mailbox.clear();
    expect(await states()).toEqual(['waits@example.org queued']);
  });
});
