/** Creates the buckets of a project and uploads their objects to the running instance. */
import { openAsBlob } from 'node:fs';
import { type StorageApi, setUpBuckets } from '@greenroom/project';
import { loadConfig } from '@greenroom/server/settings';
import { type InstanceView, viewInstance } from '../../instance.ts';
import { createInstanceFetch } from '../../instance-fetch.ts';
import { requireProject } from '../../project.ts';
import { explained, type ProjectOptions, printWarnings, readSettings } from '../../settings.ts';

/** Creates and fills the buckets that config.toml declares. */
export async function seedBuckets(options: ProjectOptions): Promise<number> {
  const settings = await readSettings(options);
  printWarnings(settings);
  const { buckets = [] } = requireProject(settings);
  const config = await explained(settings, () => loadConfig(settings.source));
  const onProgress = (line: string) => void process.stdout.write(`${line}\n`);
  if (buckets.length === 0) {
    onProgress('supabase/config.toml declares no buckets: add a table [storage.buckets.<name>]');
    return 0;
  }
  const api = storageApiOf(await viewInstance(config));
  await setUpBuckets({ buckets, uploadsObjects: true, api, onProgress });
  onProgress('the buckets are up to date');
  return 0;
}

/** Calls the running instance. */
function storageApiOf(instance: InstanceView): StorageApi {
  const { apiUrl, apiKeys } = instance;
  const send = createInstanceFetch(instance);
  const credentials = { apikey: apiKeys.serviceRole, authorization: `Bearer ${apiKeys.serviceRole}` };
  return async ({ method, path, headers, body }) => {
    const isJson = body !== undefined && 'json' in body;
    const init = {
      method,
      headers: { ...headers, ...credentials, ...(isJson && { 'content-type': 'application/json' }) },
      ...(body && { body: isJson ? JSON.stringify(body.json) : await openAsBlob(body.file) }),
    };
    const response = await send(`${apiUrl}/storage/v1${path}`, init);
    return { status: response.status, json: await response.json().catch(() => undefined) };
  };
}
