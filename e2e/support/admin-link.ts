/** One-time links that make an administrator. */
import { createHash, randomBytes } from 'node:crypto';
import { withDatabase } from './database.ts';
import { type Instance, runCli } from './instance.ts';
import { baseUrl, sharedFolder } from './shared-instance.ts';

/** A new one, as `greenroom admin-link` prints it. */
export async function printAdminUrl(): Promise<string> {
  const { stdout } = await runCli(['admin-link'], sharedFolder());
  return stdout.trim();
}

/**
 * A new one, put where the command puts it: that takes a process, and many tests only need an administrator. It is one of
 * the shared instance, unless another is given.
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
