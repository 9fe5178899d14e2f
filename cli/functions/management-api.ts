/** The management of functions and secrets of an instance: the local one, or one that a URL names. */
import { viewInstance } from '../instance.ts';
import { createInstanceFetch, notResponding } from '../instance-fetch.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';
import type { InstanceChoice } from './instance-options.ts';

/** A request of {@link ManagementApi.call}. */
interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the path of the management, e.g. `functions`. */
  path: string;
  json?: unknown;
  /** Compressed content. */
  archive?: Buffer;
}

/** The calls of commands. They throw an error with the message of the instance. */
export interface ManagementApi {
  apiUrl: string;
  /** Returns the response, whose status is one of success. */
  call(call: Call, signal?: AbortSignal): Promise<Response>;
  /** Returns the body as JSON. */
  json<Body>(call: Call): Promise<Body>;
}

/** Opens the management of the instance. Throws if no instance is named, and none was started here. */
export async function openManagementApi(
  choice: InstanceChoice,
  project: ProjectOptions,
): Promise<ManagementApi> {
  if (choice.url !== undefined) return apiOf(remoteOf(choice.url, choice['secret-key']));
  if (choice['secret-key'] !== undefined)
    throw new Error('--secret-key requires --url <url>: the key of the local instance is known.');
  const instance = await viewInstance(await readConfig(project));
  return apiOf({
    apiUrl: instance.apiUrl,
    key: instance.apiKeys.secret,
    send: createInstanceFetch(instance),
  });
}

interface Target {
  apiUrl: string;
  key: string;
  send: typeof fetch;
}

function remoteOf(url: string, option: string | undefined): Target {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') {
    throw new Error(
      `--url=${JSON.stringify(url)} is not allowed. Allowed: a URL such as https://api.example.org.`,
    );
  }
  const key = option ?? process.env.GREENROOM_SECRET_KEY;
  if (key === undefined || key === '') {
    throw new Error('--url requires --secret-key <key>, or the variable GREENROOM_SECRET_KEY.');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('the secret key contains characters that no key has.');
  const apiUrl = url.replace(/\/+$/, '');
  const send: typeof fetch = (input, init) =>
    fetch(input, init).catch((cause: Error) => {
      if (init?.signal?.aborted) throw cause;
      const reason = (cause.cause as Error | undefined)?.message ?? cause.message;
      throw new Error(`${apiUrl} does not respond: ${reason}`, { cause });
    });
  return { apiUrl, key, send };
}

function apiOf({ apiUrl, key, send }: Target): ManagementApi {
  async function call({ method, path, json, archive }: Call, signal?: AbortSignal): Promise<Response> {
    const text = json === undefined ? undefined : JSON.stringify(json);
    const body = archive === undefined ? text : new Uint8Array(archive);
    const response = await send(`${apiUrl}/functions/v1/_admin/${path}`, {
      method,
      headers: {
        apikey: key,
        ...(body !== undefined && { 'content-type': archive ? 'application/gzip' : 'application/json' }),
      },
      ...(body !== undefined && { body }),
      // The key is for this address only.
      redirect: 'error',
      ...(signal && { signal }),
    });
    if (!response.ok) throw await errorOf(response, apiUrl);
    return response;
  }
  return { apiUrl, call, json: async <Body>(request: Call) => (await call(request)).json() as Promise<Body> };
}

async function errorOf(response: Response, apiUrl: string): Promise<Error> {
  const { code, message } = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  if (code === 'FORBIDDEN')
    return new Error(`${apiUrl} refused the key: it is not the secret key of this instance.`);
  if (code === 'NOT_FOUND' || message === undefined) {
    return notResponding(apiUrl, new Error(`status ${response.status}`));
  }
  return new Error(message);
}
