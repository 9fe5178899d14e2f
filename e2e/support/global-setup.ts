/** Starts one instance for all browser tests; each test signs up its own users. */
import { removeDataFolder, startInstance } from './instance.ts';
import { newPreparedFolder, prepareDataFolder } from './prepared-folder.ts';

/** Returns the tear-down. Workers find the instance by environment variables. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const removePrepared = await prepareDataFolder();
  const folder = await newPreparedFolder();
  const instance = await startInstance(folder);
  process.env.GREENROOM_E2E_URL = instance.url;
  process.env.GREENROOM_E2E_FOLDER = folder;
  return async () => {
    await instance.stop();
    await Promise.all([removeDataFolder(folder), removePrepared()]);
  };
}
