/** The servers of storage measurements: an instance and a bare server, on the same disk. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Running,
  readKeys,
  startGreenroomProcess,
  startProcess,
  temporaryFolder,
} from '../measure/process.ts';

/** The bucket of all measurements. */
export const BUCKET = 'bench';

export interface Fixture extends AsyncDisposable {
  instance: Running;
  /** With the prefix of the service. */
  url: string;
  /** Headers of service_role, which bypasses all policies. */
  headers: Record<string, string>;
  databaseUrl: string;
  s3Keys: { accessKeyId: string; secretAccessKey: string };
  bareUrl: string;
}

/** Starts both servers. */
export async function openFixture(): Promise<Fixture> {
  const opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const instance = await startGreenroomProcess(folder, {
    FILE_SIZE_LIMIT: '5GB',
    GREENROOM_REQUIRE_API_KEY: 'false',
  });
  opened.defer(() => instance.stop());
  const bareFolder = join(folder, 'bare');
  await mkdir(bareFolder);
  const bare = await startProcess([join(import.meta.dirname, '../reference/bare-files.ts'), bareFolder]);
  opened.defer(() => bare.stop());
  const keys = await readKeys(folder);
  const url = `${instance.url}/storage/v1`;
  const headers = { authorization: `Bearer ${keys.SERVICE_ROLE_KEY}` };
  await post({ url, headers }, '/bucket', { name: BUCKET });
  return {
    instance,
    url,
    headers,
    databaseUrl: keys.DB_URL ?? '',
    s3Keys: {
      accessKeyId: keys.S3_PROTOCOL_ACCESS_KEY_ID ?? '',
      secretAccessKey: keys.S3_PROTOCOL_ACCESS_KEY_SECRET ?? '',
    },
    bareUrl: bare.url,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Sends a POST request to the service. Throws unless the response is a success. */
export async function post(
  { url, headers }: Pick<Fixture, 'url' | 'headers'>,
  path: string,
  body: object,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
