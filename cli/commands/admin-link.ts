/** Prints another one-time link for a user who can read the data folder. */
import { appUrlOf } from '@greenroom/config';
import { openDatabase } from '@greenroom/postgres';
import { createFirstAdminLink } from '@greenroom/server';
import { viewInstance } from '../instance.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';

/** Prints a new link. The instance must be running. */
export async function printAdminLink(project: ProjectOptions): Promise<number> {
  const config = await readConfig(project);
  const { apiUrl, databaseUrl, adminDatabaseUrl = databaseUrl } = await viewInstance(config);
  const admin = openDatabase({ url: adminDatabaseUrl, max: 1, applicationName: 'greenroom admin-link' });
  try {
    process.stdout.write(`${await createFirstAdminLink(admin, appUrlOf(config, apiUrl))}\n`);
    return 0;
  } finally {
    await admin.close();
  }
}
