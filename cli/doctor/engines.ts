/** Checks of the servers that an instance uses: mail, Redis, object store, external database. */
import { checkExternalPostgres } from '@greenroom/postgres';
import { type Check, type Outcome, ok, problem, type Subject, skipped } from './check.ts';

async function checkSmtp({ config }: Subject): Promise<Outcome[]> {
  const { smtp } = config;
  if (smtp === undefined) return [skipped('no mail server is configured: mails are kept for the admin area')];
  const { probeSmtp } = await import('@greenroom/messages');
  return probe(
    `the mail server ${smtp.host}:${smtp.port}`,
    () => probeSmtp(smtp),
    'GOTRUE_SMTP_HOST, _PORT, _USER and _PASS',
  );
}

async function checkRedis({ config }: Subject): Promise<Outcome[]> {
  const { redisUrl } = config.realtime;
  if (redisUrl === undefined) return [skipped('no Redis is configured')];
  const { probeRedis } = await import('@greenroom/realtime/probe');
  return probe(`Redis at ${new URL(redisUrl).host}`, () => probeRedis(redisUrl), 'REDIS_URL');
}

async function checkStore({ config }: Subject): Promise<Outcome[]> {
  const { s3Store } = config.storage;
  if (s3Store === undefined) return [skipped('objects are in the data folder')];
  const { probeStore } = await import('@greenroom/storage/probe');
  return probe(
    `bucket ${s3Store.bucket} of ${s3Store.endpoint ?? 'AWS'}`,
    () => probeStore(s3Store),
    'S3_BUCKET, S3_ENDPOINT and the keys of the store',
  );
}

async function checkDatabase({ config }: Subject): Promise<Outcome[]> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) return [skipped('the database is the embedded PostgreSQL')];
  try {
    const warnings = await checkExternalPostgres(databaseUrl);
    if (warnings.length === 0) return [ok('the external database can be used')];
    return warnings.map((warning) => problem(warning, 'Change it on the server, and restart both.'));
  } catch (error) {
    return [problem((error as Error).message, 'Change DATABASE_URL, or the rights of its role.')];
  }
}

async function probe(what: string, reach: () => Promise<void>, settings: string): Promise<Outcome[]> {
  try {
    await reach();
    return [ok(`${what} responds`)];
  } catch (error) {
    const { message } = error as Error;
    return [problem(`${what} cannot be used: ${message}`, `Check ${settings}, and whether the server runs.`)];
  }
}

export const ENGINE_CHECKS: readonly Check[] = [
  { name: 'database', run: checkDatabase },
  { name: 'mail', run: checkSmtp },
  { name: 'Redis', run: checkRedis },
  { name: 'object store', run: checkStore },
];
