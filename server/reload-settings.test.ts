import { readInstanceRecord } from '@greenroom/data-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestSettings } from './setting-digests.ts';
import { loadConfig } from './settings.ts';
import { type OfficialInstance, PASSWORD, startOfficialInstance } from './testing/official-instance.ts';

let instance: OfficialInstance;

beforeAll(async () => {
  instance = await startOfficialInstance({ GREENROOM_RATE_LIMIT_FAILED_SIGN_INS: '0' });
  for (const text of [
    'create table public.numbers (id int primary key)',
    'grant select on public.numbers to anon',
    'insert into public.numbers select generate_series(1, 3)',
  ]) {
    await instance.database.query({ text });
  }
});
afterAll(() => instance.close());

/** Applies these settings in addition to those of the start. */
const apply = (settings: Record<string, string | undefined> = {}) =>
  instance.greenroom.applySettings({ ...instance.source, ...settings });

const signUpError = async () => {
  const { error } = await instance
    .newClient()
    .auth.signUp({ ...instance.newPerson(), password: PASSWORD } as { email: string; password: string });
  return error?.code;
};
const upload = async (bytes: number) => {
  const { error } = await instance
    .service()
    .storage.from('reload')
    .upload(`${crypto.randomUUID()}.txt`, 'x'.repeat(bytes));
  return error?.message;
};

describe('new settings', () => {
  it('of auth, the data API and storage apply without a restart', async () => {
    await instance.service().storage.createBucket('reload');
    const { applied, needRestart } = await apply({
      GOTRUE_DISABLE_SIGNUP: 'true',
      PGRST_DB_MAX_ROWS: '2',
      FILE_SIZE_LIMIT: '10',
    });
    expect(applied.toSorted()).toEqual(['FILE_SIZE_LIMIT', 'GOTRUE_DISABLE_SIGNUP', 'PGRST_DB_MAX_ROWS']);
    expect(needRestart).toEqual([]);
    expect(await signUpError()).toBe('signup_disabled');
    expect(await upload(11)).toMatch(/exceeded/);
    await expect.poll(async () => (await instance.newClient().from('numbers').select()).data?.length).toBe(2);
  });

  it('that are removed apply their defaults', async () => {
    expect((await apply()).applied.length).toBe(3);
    expect(await signUpError()).toBeUndefined();
    expect(await upload(11)).toBeUndefined();
    await expect.poll(async () => (await instance.newClient().from('numbers').select()).data?.length).toBe(3);
    expect(await apply()).toEqual({ applied: [], needRestart: [] });
  });

  it('that need a restart are named and keep their values, also with those that do not', async () => {
    const { applied, needRestart } = await apply({
      API_EXTERNAL_URL: 'https://api.example.org',
      GOTRUE_SITE_URL: 'https://app.example.org',
    });
    expect([applied, needRestart]).toEqual([['GOTRUE_SITE_URL'], ['API_EXTERNAL_URL']]);
    const { data } = await instance.service().auth.admin.generateLink({
      type: 'magiclink',
      email: instance.newPerson().email,
    });
    const link = new URL(data.properties?.action_link ?? '');
    expect([link.hostname, link.searchParams.get('redirect_to')]).toEqual([
      '127.0.0.1',
      'https://app.example.org',
    ]);
  });

  it('are recorded for the comparison by `config diff`, without those that need a restart', async () => {
    await apply({ GOTRUE_JWT_EXP: '60', LOG_LEVEL: 'fatal' });
    const { backend } = instance.greenroom;
    const record = await readInstanceRecord(loadConfig(instance.source).dataDirectory);
    expect(record?.settings).toEqual(
      digestSettings({ ...instance.source, GOTRUE_JWT_EXP: '60' }, backend?.jwtSecret ?? ''),
    );
  });

  it.each([
    ['a wrong value of a setting that needs a restart', { PORT: 'eighty' }, /PORT="eighty" is not allowed/],
    [
      'a template that cannot be read',
      { GOTRUE_MAILER_TEMPLATES_INVITE: '/none.html' },
      /GOTRUE_MAILER_TEMPLATES_INVITE="\/none.html" is not allowed/,
    ],
  ])('change nothing if one of them is %s', async (_, wrong, message) => {
    await apply();
    await expect(apply({ GOTRUE_DISABLE_SIGNUP: 'true', ...wrong })).rejects.toThrow(message);
    expect(await signUpError()).toBeUndefined();
  });

  it('keep the counters of rate limits, unless the limits change', async () => {
    const spacing = { GOTRUE_SMTP_MAX_FREQUENCY: '1h' };
    await apply(spacing);
    const { email } = await instance.signedIn();
    const recover = async () =>
      (await instance.newClient().auth.resetPasswordForEmail(email)).error?.code ?? 'sent';
    expect(await recover()).toBe('sent');
    await apply({ ...spacing, GOTRUE_JWT_EXP: '120' });
    expect(await recover()).toBe('over_email_send_rate_limit');
    await apply({ GOTRUE_SMTP_MAX_FREQUENCY: '1ms' });
    expect(await recover()).toBe('sent');
  });
});
