/** Creates a template of clusters; see template.ts. */
import { randomBytes } from 'node:crypto';
import { startEmbeddedPostgres } from './cluster.ts';
import { chooseRunAs } from './run-as.ts';
import { saveTemplatePassword } from './template.ts';
import { removeVaultKey } from './vault-key.ts';

/**
 * Creates a cluster in a new folder and fills it.
 * @param fill receives the URL of the superuser; the server is shut down when it has settled
 */
export async function createTemplate(directory: string, fill: (url: string) => Promise<void>): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  const server = await startEmbeddedPostgres({ directory, port: 0, portIsFixed: false, password });
  try {
    await fill(server.superuser.localUrl);
  } finally {
    await server.stop();
  }
  await removeVaultKey(server.directory);
  await saveTemplatePassword(server.directory, password, await chooseRunAs());
}
