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

/** Its data folder. */
export const sharedFolder = (): string => required('GREENROOM_E2E_FOLDER');

type Status = Record<string, string>;

const known = new Map<string, Promise<Status>>();

/**
 * What `greenroom status -o json` prints of an instance: the shared one, unless another's folder is given. It is asked
 * once, by a process of its own; nothing of it changes while the instance runs.
 */
export function readStatus(folder = sharedFolder()): Promise<Status> {
  const status = known.get(folder) ?? askForStatus(folder);
  known.set(folder, status);
  return status;
}

async function askForStatus(folder: string): Promise<Status> {
  const { stdout } = await runCli(['status', '-o', 'json'], folder);
  return JSON.parse(stdout) as Status;
}
