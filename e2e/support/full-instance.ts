/** An instance with all ways to sign in, at a host name, because passkeys belong to domains. */
import { freePort } from '@greenroom/testing/free-port';
import { type Instance, removeDataFolder, startInstance } from './instance.ts';
import { newPreparedFolder } from './prepared-folder.ts';

/** Settings, or a function that returns them if they depend on the URL. */
type Settings = Record<string, string> | ((url: string) => Promise<Record<string, string>>);

/** Starts an instance, on a prepared folder unless another one is given. Its pages are at `url`. */
export async function startFullInstance(settings: Settings = {}, ownFolder?: string): Promise<Instance> {
  const folder = ownFolder ?? (await newPreparedFolder());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = typeof settings === 'function' ? await settings(url) : settings;
  const instance = await startInstance(folder, {
    PORT: String(port),
    GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
    GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1s',
    ...env,
  });
  return { ...instance, url };
}

/** Stops the instance and removes its data folder. */
export async function endFullInstance(instance: Instance | undefined): Promise<void> {
  await instance?.stop();
  if (instance) await removeDataFolder(instance.folder);
}
