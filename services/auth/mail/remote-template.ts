/**
 * A template that is fetched from a URL: before anything is served, and then again and again. A request never waits for
 * it, because how long an answer takes must not tell whether a mail is written.
 */
import { type CompiledTemplate, compileHtml } from './template/index.ts';

const TIMEOUT_MS = 5000;
/** After a failure; GoTrue's is ten seconds. */
const RETRY_MS = 10_000;

/** What a template needs of a log. */
export interface MailLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Options of {@link createRemoteTemplate}. */
interface RemoteTemplateOptions {
  /** The variable that names it, for the log. */
  name: string;
  url: string;
  maxBytes: number;
  maxAgeMs: number;
  log: MailLog;
}

/** A template as it was fetched last. */
export interface RemoteTemplate {
  /** Undefined until it could be loaded once. */
  current(): CompiledTemplate | undefined;
  /** Fetches it, now and from time to time until `close`. Never rejects: what fails is a warning in the log. */
  load(): Promise<void>;
  close(): void;
}

/** Creates a template that is not loaded yet. */
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
      note(reasonOf(error));
    }
    if (closing.signal.aborted) return;
    timer = setTimeout(refresh, problem === undefined ? maxAgeMs : Math.min(RETRY_MS, maxAgeMs)).unref();
  }

  /** Once, not every ten seconds. */
  function note(reason: string): void {
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

/** A login in the URL is sent as a header: `fetch` refuses it otherwise, and says it in its error. */
function requestOf(url: string) {
  const target = new URL(url);
  const login = [target.username, target.password].map(decodeURIComponent).join(':');
  target.username = '';
  target.password = '';
  const authorization =
    login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  return { target, headers: { accept: 'text/html, text/*;q=0.9, */*;q=0.1', ...authorization } };
}

/** `fetch` hides why it failed in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: unknown } };
  return cause?.code === undefined ? message : `${message}: ${cause.code}`;
}
