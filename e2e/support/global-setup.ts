/** One instance for all browser tests; each test signs up people of its own. */
import { newDataFolder, removeDataFolder, startInstance } from './instance.ts';

/** What it returns is the tear-down. Workers find the instance by environment variables. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = await newDataFolder();
  const instance = await startInstance(folder);
  process.env.GREENROOM_E2E_URL = instance.url;
  process.env.GREENROOM_E2E_FOLDER = folder;
  process.env.GREENROOM_E2E_ADMIN_URL = instance.firstAdminUrl;
  return async () => {
    await instance.stop();
    await removeDataFolder(folder);
  };
}
