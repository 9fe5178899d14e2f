/** The instance that {@link ./global-setup.ts} started, as tests see it. */
import { runCli } from './instance.ts';

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run these tests by npm test or playwright test --config e2e`);
  return value;
}

/** http://HOST:PORT */
export const baseUrl = (): string => required('GREENROOM_E2E_URL');

/** The one-time link of the first start. */
export const firstAdminUrl = (): string => required('GREENROOM_E2E_ADMIN_URL');

/** What `greenroom status -o json` prints of an instance: the shared one, unless another's folder is given. */
export async function readStatus(folder = required('GREENROOM_E2E_FOLDER')): Promise<Record<string, string>> {
  const { stdout } = await runCli(['status', '-o', 'json'], folder);
  return JSON.parse(stdout) as Record<string, string>;
}

/** A new one-time admin link. */
export async function newAdminUrl(): Promise<string> {
  const { stdout } = await runCli(['admin-link'], required('GREENROOM_E2E_FOLDER'));
  return stdout.trim();
}
