/** The start page of a project without pages, and the names that such a project has for itself. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { expectNoViolationsInBothModes } from './support/axe.ts';
import { type Instance, startInstance, stopLeftovers } from './support/instance.ts';
import { createAccount } from './support/person.ts';
import { readStatus } from './support/shared-instance.ts';

/** Uses all names that the demo uses, with other definitions. */
const MIGRATION = `
  create table public.notes (id bigint generated always as identity primary key, body text not null);
  alter table public.notes enable row level security;
  create policy "everyone reads" on public.notes for select using (true);
  create function public.stamp_note() returns int language sql as 'select 1';
  insert into storage.buckets (id, name, public) values ('files', 'files', true), ('avatars', 'avatars', false);
  create policy "people see files of their own" on storage.objects for select to anon using (bucket_id = 'files');
  insert into public.notes (body) values ('of the project');`;

const PICTURES = 'greenroom-account-pictures';

let project: string;
let instance: Instance;

test.beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'shop-'));
  await mkdir(join(project, 'supabase/migrations'), { recursive: true });
  await writeFile(join(project, 'supabase/migrations/20260101000000_shop.sql'), MIGRATION);
  // Not a copy of the prepared folder, which has run the demo.
  const folder = join(project, '.greenroom');
  instance = await startInstance(folder, { GREENROOM_REALTIME_ENABLED: 'false' }, 'start', [
    '--project',
    project,
  ]);
});
test.afterAll(async () => {
  await instance?.stop();
  await stopLeftovers();
  await rm(project, { recursive: true, force: true });
});

test('shows name, key and addresses of enabled services to visitors, and links to account and admin area', async ({
  page,
}) => {
  const { PUBLISHABLE_KEY = '' } = await readStatus(instance.folder);
  await page.goto(instance.url);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(/^shop-/);
  await expect(main.getByText(PUBLISHABLE_KEY, { exact: true })).toBeVisible();
  for (const path of ['', '/auth/v1', '/rest/v1', '/storage/v1']) {
    await expect(main.getByText(instance.url + path, { exact: true })).toBeVisible();
  }
  await expect(main.getByText('/realtime/v1')).toHaveCount(0);
  await expect(main.getByText(`createClient('${instance.url}', '${PUBLISHABLE_KEY}')`)).toBeVisible();
  await expectNoViolationsInBothModes(page, 'start page');

  await main.getByRole('link', { name: 'Admin area' }).click();
  await expect(page).toHaveURL(/\/login/);
  await createAccount(page, instance.url);
  await page.goto(instance.url);
  await expect(main.getByRole('link', { name: 'Admin area' })).toHaveCount(0);
  await main.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
});

test('a form to the start page is rejected', async ({ page }) => {
  await createAccount(page, instance.url);
  const response = await page.request.post(instance.url, {
    form: { intent: 'add', text: 'x' },
    headers: { origin: instance.url },
  });
  expect(response.status()).toBe(405);
});

test('the project has its own table "notes", buckets "files" and "avatars", and policies', async ({
  page,
}) => {
  const { API_URL = '', ANON_KEY = '', SERVICE_ROLE_KEY = '' } = await readStatus(instance.folder);
  const options = { auth: { persistSession: false } };
  const anonymous = createClient(API_URL, ANON_KEY, options);
  const service = createClient(API_URL, SERVICE_ROLE_KEY, options);
  expect((await anonymous.from('notes').select('body')).data).toEqual([{ body: 'of the project' }]);
  const buckets = async () => (await service.storage.listBuckets()).data?.map(({ id }) => id).sort();
  expect(await buckets()).toEqual(['avatars', 'files']);

  // A picture gets a bucket of its own, and no access to those of the project.
  await createAccount(page, instance.url);
  const form = { intent: 'upload', type: 'png' };
  const headers = { origin: instance.url };
  const response = await page.request.post(`${instance.url}/account/picture`, { form, headers });
  const { path, token } = (await response.json()) as { path: string; token: string };
  expect(await buckets()).toEqual(['avatars', 'files', PICTURES]);
  const upload = (bucket: string) =>
    anonymous.storage.from(bucket).uploadToSignedUrl(path, token, new Blob(['x'], { type: 'image/png' }));
  expect((await upload('files')).error).not.toBeNull();
  expect((await upload(PICTURES)).error).toBeNull();
  const other = await anonymous.storage
    .from(PICTURES)
    .upload(`${path}.png`, new Blob(['x'], { type: 'image/png' }));
  expect(other.error?.message).toContain('row-level security');
  await page.request.post(`${instance.url}/account/picture`, { form: { intent: 'tidy' }, headers });
  expect((await service.storage.from(PICTURES).list(path.split('/')[0])).data).toEqual([]);
});

test('only a signed-in visitor gets a signed URL for a picture', async ({ page, request }) => {
  const post = (form: Record<string, string>) =>
    request.post(`${instance.url}/account/picture`, {
      form,
      headers: { origin: instance.url },
      maxRedirects: 0,
    });
  expect((await post({ intent: 'upload', type: 'png' })).status()).toBe(302);
  await createAccount(page, instance.url);
  const signedIn = (form: Record<string, string>) =>
    page.request.post(`${instance.url}/account/picture`, { form, headers: { origin: instance.url } });
  expect((await signedIn({ intent: 'upload', type: 'svg' })).status()).toBe(400);
  expect((await signedIn({})).status()).toBe(400);
  expect((await page.request.get(`${instance.url}/account/picture`)).status()).toBe(404);
});
