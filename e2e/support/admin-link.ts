/** One-time links that make a user an administrator. */
import { createHash, randomBytes } from 'node:crypto';
import { withDatabase } from './database.ts';
import { type Instance, runCli } from './instance.ts';
import { baseUrl, sharedFolder } from './shared-instance.ts';

/** Returns a new link, as `greenroom admin-link` prints it. */
export async function printAdminUrl(): Promise<string> {
  const { stdout } = await runCli(['admin-link'], sharedFolder());
  return stdout.trim();
}

/**
 * Inserts a new link directly into the database, because the command needs a process, and many tests only need an
 * administrator. Default instance: the shared one.
 */
export async function newAdminUrl(instance?: Pick<Instance, 'url' | 'folder'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const statement = {
    text: 'insert into greenroom.first_admin_links (token_hash) values ($1)',
    values: [createHash('sha256').update(token).digest('hex')],
  };
  await withDatabase(instance?.folder, (database) => database.query(statement));
  return `${instance?.url ?? baseUrl()}/admin?claim=${token}`;
}
