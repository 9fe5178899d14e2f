/** Messages that are kept, with a real database: logged, kept for a while, deleted. */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAnnouncer } from './kept-messages.ts';
import { type OutboxFixture, openOutboxFixture } from './testing/outbox.ts';

const NO_DELIVERY = { mail: false, sms: false };
const DAY_SECONDS = 86_400;

let database: TestDatabase;
let outbox: OutboxFixture;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  outbox = await openOutboxFixture(database);
});
afterEach(() => outbox.close());

const mail = (recipient = 'ann@example.org') =>
  ({ channel: 'mail', kind: 'recovery', recipient, subject: 'Hello', text: 'Code 1\n' }) as const;
const keep = (recipient?: string) => outbox.put(mail(recipient), NO_DELIVERY);

describe('a message that is not sent', () => {
  it('is logged once, in one line, with its link or its text', async () => {
    await keep('earlier@example.org');
    const delivery = outbox.deliver({ logsContent: true });
    await delivery.run();
    await outbox.put({ ...mail(), link: 'https://room.example/x' }, NO_DELIVERY);
    const sms = {
      channel: 'sms',
      kind: 'confirmation',
      recipient: '15550100',
      text: 'Your code is 1\n',
    } as const;
    await outbox.put(sms, NO_DELIVERY);
    await delivery.run();
    await delivery.run();
    expect(outbox.logged).toEqual([
      {
        level: 'info',
        message: 'message stored in the mailbox',
        channel: 'mail',
        kind: 'recovery',
        recipient: 'ann@example.org',
        link: 'https://room.example/x',
      },
      {
        level: 'info',
        message: 'message stored in the mailbox',
        channel: 'sms',
        kind: 'confirmation',
        recipient: '15550100',
        text: 'Your code is 1',
      },
    ]);
    expect(await outbox.rows()).toMatchObject([{ state: 'kept' }, { state: 'kept' }, { state: 'kept' }]);
  });

  it('is logged without its link and its text if the server is reachable from other machines', async () => {
    const delivery = outbox.deliver({ logsContent: false });
    await delivery.run();
    await outbox.put({ ...mail(), link: 'https://room.example/x' }, NO_DELIVERY);
    await outbox.put(
      { channel: 'sms', kind: 'confirmation', recipient: '15550100', text: 'Code 1' },
      NO_DELIVERY,
    );
    await delivery.run();
    const line = { level: 'info', message: 'message stored in the mailbox' };
    expect(outbox.logged).toEqual([
      { ...line, channel: 'mail', kind: 'recovery', recipient: 'ann@example.org' },
      { ...line, channel: 'sms', kind: 'confirmation', recipient: '15550100' },
    ]);
  });

  it('is logged even if its transaction ended after a later one', async () => {
    const { admin, auth } = outbox.database;
    const recipients: unknown[] = [];
    const log = {
      info: (details: object) => void recipients.push((details as { recipient: string }).recipient),
      warn: () => undefined,
    };
    const announce = createAnnouncer({ database: admin, log, logsContent: false });
    await announce();
    await auth.transaction(async (tx) => {
      await tx.query({ text: 'select 1' });
      await keep('quick@example.org');
      await announce();
      const text = `insert into greenroom.outbox (channel, kind, recipient, text_body, state)
        values ('mail', 'x', 'slow@example.org', '', 'kept')`;
      return tx.commit([{ text }]);
    });
    await announce();
    await announce();
    expect(recipients).toEqual(['quick@example.org', 'slow@example.org']);
  });

  it('is logged regardless of the number of messages', async () => {
    const delivery = outbox.deliver({});
    await delivery.run();
    await manyKept(250);
    await delivery.run();
    expect(new Set(outbox.logged.map(({ recipient }) => recipient)).size).toBe(250);
    expect(outbox.logged).toHaveLength(250);
  });

  it('is not logged if it is queued', async () => {
    const delivery = outbox.deliver({});
    await delivery.run();
    await outbox.put(mail());
    await outbox.put({ ...mail(), channel: 'whatsapp' }, { mail: true, sms: true });
    await delivery.run();
    expect(outbox.logged).toMatchObject([{ channel: 'whatsapp' }]);
  });
});

describe('cleaning up', () => {
  it.each(['kept', 'sent', 'failed'])('deletes %s messages after a week', async (state) => {
    await keep();
    await outbox.database.admin.query({
      text: 'update greenroom.messages set state = $1',
      values: [state],
    });
    outbox.advance(7 * DAY_SECONDS - 60);
    const delivery = outbox.deliver({});
    await delivery.run();
    expect(await outbox.rows()).toHaveLength(1);
    outbox.advance(120);
    await delivery.run();
    expect(await outbox.rows()).toHaveLength(1);
    outbox.advance(600);
    await delivery.run();
    expect(await outbox.rows()).toEqual([]);
  });

  it('keeps the newest thousand kept messages, and ignores others', async () => {
    await manyKept(1003);
    const text = `update greenroom.messages set state = 'sent', created_at = created_at - interval '1 hour'
      where recipient in ('1', '2')`;
    await outbox.database.admin.query({ text });
    await outbox.deliver({}).run();
    const recipients = (await outbox.rows()).map(({ recipient }) => recipient);
    expect(recipients).toHaveLength(1002);
    expect(recipients).toEqual(expect.arrayContaining(['1', '2', '4', '1003']));
    expect(recipients).not.toContain('3');
  });

  it('deletes the oldest as soon as a thousand more were kept, without waiting for the next clean-up', async () => {
    const delivery = outbox.deliver({});
    await delivery.run();
    await manyKept(1100);
    await delivery.run();
    expect(await outbox.rows()).toHaveLength(1000);
  });

  it('erases messages that were queued for a sender that is no longer configured', async () => {
    await outbox.put({ ...mail(), link: 'https://room.example/x' });
    outbox.advance(DAY_SECONDS - 60);
    await outbox.deliver({}).run();
    expect(await outbox.rows()).toMatchObject([{ state: 'queued' }]);
    outbox.advance(120);
    await outbox.deliver({}).run();
    expect(await outbox.rows()).toMatchObject([
      { state: 'failed', text_body: '', html_body: null, link: null },
    ]);
  });
});

/** Inserts messages one after the other, with the recipients 1, 2, 3… */
function manyKept(count: number): Promise<unknown> {
  const text = `insert into greenroom.messages (channel, kind, recipient, text_body, state, created_at)
    select 'mail', 'x', n::text, '', 'kept', now() + n * interval '1 microsecond' from generate_series(1, $1) n`;
  return outbox.database.admin.query({ text, values: [count] });
}
