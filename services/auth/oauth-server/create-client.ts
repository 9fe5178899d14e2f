/** Makes an application, as admins and applications themselves do. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { ClientRow } from './client.ts';
import { hashClientSecret, randomClientSecret } from './client.ts';
import type { Registration } from './client-metadata.ts';
import { insertClient } from './client-statements.ts';

/** A new application, and its secret, which is told this once; a public one has none. */
interface CreatedClient {
  row: ClientRow;
  secret: string | undefined;
}

/** Makes one. @param noteOf what else is written in the same transaction, by the new id */
export async function createClient(
  { database, now }: AuthContext,
  registration: Registration,
  registrationType: ClientRow['registration_type'],
  noteOf: (id: string) => Statement[],
): Promise<CreatedClient> {
  const id = randomUUID();
  const secret = registration.clientType === 'confidential' ? randomClientSecret() : undefined;
  const client = { id, secretHash: secret === undefined ? null : hashClientSecret(secret), registrationType };
  const [inserted] = await database.batch([insertClient(client, registration, now()), ...noteOf(id)]);
  return { row: inserted?.[0] as unknown as ClientRow, secret };
}
