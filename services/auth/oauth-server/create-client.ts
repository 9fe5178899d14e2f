/** Creates OAuth clients, for the admin API and dynamic registration. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { ClientRow } from './client.ts';
import { hashClientSecret, randomClientSecret } from './client.ts';
import type { Registration } from './client-metadata.ts';
import { insertClient } from './client-statements.ts';

/** A new client and its secret, which cannot be read again. A public client has no secret. */
interface CreatedClient {
  row: ClientRow;
  secret: string | undefined;
}

/** Creates a client. @param auditOf returns further statements for the same transaction */
export async function createClient(
  { database, now }: AuthContext,
  registration: Registration,
  registrationType: ClientRow['registration_type'],
  auditOf: (id: string) => Statement[],
): Promise<CreatedClient> {
  const id = randomUUID();
  const secret = registration.clientType === 'confidential' ? randomClientSecret() : undefined;
  const client = { id, secretHash: secret === undefined ? null : hashClientSecret(secret), registrationType };
  const [inserted] = await database.batch([insertClient(client, registration, now()), ...auditOf(id)]);
  return { row: inserted?.[0] as unknown as ClientRow, secret };
}
