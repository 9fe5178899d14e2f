/**
 * Templates that are fetched from a URL: before the service starts, and then periodically. Requests never wait for a
 * fetch, because the duration of a response must not reveal whether a mail is written.
 */
import { type CompiledTemplate, compileHtml } from './template/index.ts';

const TIMEOUT_MS = 5000;
/** Retry interval after a failure; GoTrue also has ten seconds. */
const RETRY_MS = 10_000;

/** The part of a logger that templates use. */
export interface MailLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Options of {@link createRemoteTemplate}. */
interface RemoteTemplateOptions {
  /** Name of the environment variable, for the log. */
  name: string;
  url: string;
  maxBytes: number;
  maxAgeMs: number;
  log: MailLog;
}

/** A template that is refreshed periodically. */
export interface RemoteTemplate {
  /** The last fetched template; undefined before the first success. */
  current(): CompiledTemplate | undefined;
  /** Fetches the template and refreshes it until `close`. Never rejects: failures are logged as warnings. */
  load(): Promise<void>;
  close(): void;
}

/** Creates a template without fetching it. */
export function createRemoteTemplate({
  name,
  url,
  maxBytes,
  maxAgeMs,
  log,
}: RemoteTemplateOptions): RemoteTemplate {
  let template: CompiledTemplate | undefined;
  let problem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  async function refresh(): Promise<void> {
    try {
      template = compileHtml(await fetchText(url, maxBytes, closing.signal));
      if (problem !== undefined) log.info({ variable: name }, 'a mail template can be loaded again');
      problem = undefined;
    } catch (error) {
      logProblem(reasonOf(error));
    }
    if (closing.signal.aborted) return;
    timer = setTimeout(refresh, problem === undefined ? maxAgeMs : Math.min(RETRY_MS, maxAgeMs)).unref();
  }

  /** Logs a problem only when it changes, not at every retry. */
  function logProblem(reason: string): void {
    const isNew = reason !== problem && !closing.signal.aborted;
    problem = reason;
    const instead = template === undefined ? 'our own is used' : 'the one before is used';
    if (isNew) log.warn({ variable: name, reason }, `a mail template could not be loaded: ${instead}`);
  }

  return {
    current: () => template,
    load: refresh,
    close() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

async function fetchText(url: string, maxBytes: number, closing: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]);
  const { target, headers } = requestOf(url);
  const response = await fetch(target, { signal, headers });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Sends credentials in the URL as a header. `fetch` rejects such URLs, and its error message has the password. */
function requestOf(url: string) {
  const target = new URL(url);
  const login = [target.username, target.password].map(decodeURIComponent).join(':');
  target.username = '';
  target.password = '';
  const authorization =
    login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  return { target, headers: { accept: 'text/html, text/*;q=0.9, */*;q=0.1', ...authorization } };
}

/** `fetch` reports the actual reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: unknown } };
  return cause?.code === undefined ? message : `${message}: ${cause.code}`;
}
