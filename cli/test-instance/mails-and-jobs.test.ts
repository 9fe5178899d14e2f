/** The SQL of docs/mails-and-jobs.md, as the migration of a project. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestInstance, type TestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const PAGE = join(import.meta.dirname, '../../docs/mails-and-jobs.md');

let folder: string;
let instance: TestInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-mails-'));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'supabase/migrations'), { recursive: true });
  const page = await readFile(PAGE, 'utf8');
  const blocks = [...page.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql]) => sql);
  await writeFile(join(folder, 'supabase/migrations/20260101000000_mails.sql'), blocks.join('\n'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  instance = await startTestInstance({ project: folder });
});

afterAll(async () => {
  await instance.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('the SQL of the page about mails and jobs', () => {
  it('sends a mail from a trigger when the transaction commits, and a reminder from a cron job', async () => {
    const email = 'ada@example.org';
    const { data } = await instance.admin.from('invitations').insert({ email }).select().single();
    const { subject, links } = await instance.mailbox().waitFor(email);
    expect(subject).toBe('You are invited');
    expect(links).toEqual([`${instance.url}/join?invitation=${data?.id}`]);

    const due = new Date(data?.created_at);
    due.setUTCDate(due.getUTCDate() + 3);
    due.setUTCHours(8, 0, 5);
    await instance.clock().set(due);
    const reminder = await instance
      .mailbox()
      .waitFor(email, { subject: 'Your invitation', timeoutMs: 20_000 });
    expect(reminder.links).toEqual(links);
  });

  it('sends a mail for the service key, and for no other role', async () => {
    const recipient = 'grace@example.org';
    const { error } = await instance.admin.rpc('send_welcome', { recipient });
    expect(error).toBeNull();
    expect((await instance.mailbox().waitFor(recipient)).subject).toBe('Welcome');
    const { client } = await instance.asUser();
    expect((await client.rpc('send_welcome', { recipient })).error?.code).toBe('42501');
  });
});
