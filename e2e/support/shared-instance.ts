/** The instance that {@link ./global-setup.ts} started, as tests use it. */
import { runCli } from './instance.ts';

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run these tests by npm test or playwright test --config e2e`);
  return value;
}

/** http://HOST:PORT */
export const baseUrl = (): string => required('GREENROOM_E2E_URL');

/** Data folder of the shared instance. */
export const sharedFolder = (): string => required('GREENROOM_E2E_FOLDER');

type Status = Record<string, string>;

const cache = new Map<string, Promise<Status>>();

/**
 * Returns the output of `greenroom status -o json` for an instance. Default: the shared one. The result is cached,
 * because the command needs a process and its output does not change while the instance runs.
 */
export function readStatus(folder = sharedFolder()): Promise<Status> {
  const status = cache.get(folder) ?? loadStatus(folder);
  cache.set(folder, status);
  return status;
}

async function loadStatus(folder: string): Promise<Status> {
  const { stdout } = await runCli(['status', '-o', 'json'], folder);
  return JSON.parse(stdout) as Status;
}
