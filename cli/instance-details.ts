/** The addresses and keys that a running instance reports to the program that has started it. */
import { resolve } from 'node:path';
import type { Greenroom } from '@greenroom/server';
import type { Config } from '@greenroom/server/settings';
import type { InstanceDetails } from './embedding/protocol.ts';

/** Returns the details. Those of an app on a hosted backend are empty where only the backend has them. */
export function detailsOf(
  { url, backend, mailbox, firstAdminUrl }: Greenroom,
  { appUrl, app: { hosted }, dataDirectory }: Config,
): InstanceDetails {
  const { anon, serviceRole, publishable, secret } = backend?.apiKeys ?? {
    anon: hosted?.anonKey ?? '',
    serviceRole: hosted?.serviceRoleKey ?? '',
    publishable: '',
    secret: '',
  };
  return {
    url: appUrl,
    apiUrl: hosted?.url ?? url,
    databaseUrl: backend?.databaseUrl ?? '',
    anonKey: anon,
    serviceRoleKey: serviceRole,
    publishableKey: publishable,
    secretKey: secret,
    jwtSecret: backend?.jwtSecret ?? '',
    mailboxUrl: mailbox?.url,
    firstAdminUrl,
    dataFolder: backend === undefined ? '' : resolve(dataDirectory),
  };
}
