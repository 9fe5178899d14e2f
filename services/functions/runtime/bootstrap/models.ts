/**
 * `Supabase.ai.Session` of the hosted platform. Here, a host with the protocol of OpenAI or Ollama runs the models: the one
 * that the server is configured with, through a Unix socket, or that of the variable `AI_INFERENCE_API_HOST`.
 */
import { deno, type HttpClient } from './deno.ts';
import { readEvents, readLines } from './model-streams.ts';

/** The configured host. */
export interface ModelOptions {
  /** Path of the Unix socket that leads to it. */
  socket: string;
  /** Name of its model for embeddings. */
  embeddingModel: string;
}

/** Options of {@link Session.run}. */
interface RunOptions {
  stream?: boolean;
  /** In seconds. */
  timeout?: number;
  mode?: 'ollama' | 'openaicompatible';
  signal?: AbortSignal;
  mean_pool?: boolean;
  normalize?: boolean;
}

/** A message of a model: a whole response, or a part of a stream. */
interface ModelMessage {
  error?: unknown;
  /** Of Ollama. */
  done?: boolean;
  /** Of OpenAI. */
  choices?: readonly { finish_reason?: string | null }[];
  data?: readonly { embedding: number[] }[];
}

const EMBEDDINGS = 'gte-small';
const DEFAULT_TIMEOUT_S = 60;
/** Stands for the host, whose address is not known here. It is never looked up. */
const STAND_IN = 'http://models.invalid';
const MAX_REASON_LENGTH = 500;
/** As for requests to the configured host. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const { fetch: originalFetch } = globalThis;

/** Returns the class for a process. */
export function createSession(options: ModelOptions | undefined) {
  let client: HttpClient | undefined;

  /** Requests the host. Throws an error that names the reason, unless the response is successful. */
  async function post(path: string, body: object, signal: AbortSignal): Promise<Response> {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    if (bytes.length > MAX_BODY_BYTES) throw new Error('the prompt is larger than 16 MiB');
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: bytes, signal };
    const response = await (options === undefined ? postDirectly(path, init) : postToSocket(path, init));
    if (!response.ok)
      throw new Error(`${label(path)} responded with status ${response.status}${await reasonIn(response)}`);
    return response;
  }

  function postToSocket(path: string, init: RequestInit): Promise<Response> {
    client ??= deno.createHttpClient({ proxy: { transport: 'unix', path: options?.socket ?? '' } });
    return originalFetch(STAND_IN + path, { ...init, client } as RequestInit);
  }

  async function postDirectly(path: string, init: RequestInit): Promise<Response> {
    const host = deno.env.get('AI_INFERENCE_API_HOST');
    if (!host)
      throw new Error(
        'Supabase.ai.Session has no host of models. Set GREENROOM_FUNCTIONS_AI_URL on the server, or call the API of a model with fetch instead.',
      );
    return originalFetch(new URL(path, host), init).catch((cause: Error) => {
      init.signal?.throwIfAborted();
      throw new Error(
        `the host of AI_INFERENCE_API_HOST cannot be reached: ${cause.message}. Functions reach a private address only if the server is configured with it: GREENROOM_FUNCTIONS_AI_URL`,
        { cause },
      );
    });
  }

  return class Session {
    readonly model: string;

    constructor(model: string) {
      this.model = model;
    }

    /**
     * Returns the vector of a text (`gte-small`), or the response of another model: whole, or as an iterator of its parts.
     * @param prompt a text, or with `openaicompatible` also the body of a chat completion
     */
    async run(prompt: string | object, settings: RunOptions = {}): Promise<unknown> {
      const { signal, timeout = DEFAULT_TIMEOUT_S } = settings;
      const timer = AbortSignal.timeout(timeout * 1000);
      const ends = signal === undefined ? timer : AbortSignal.any([signal, timer]);
      if (this.model === EMBEDDINGS) return embed(prompt, settings, ends);
      const { mode = 'ollama', stream = false } = settings;
      if (mode !== 'ollama' && mode !== 'openaicompatible')
        throw new TypeError(`mode is ${mode}; it must be ollama or openaicompatible`);
      const path = mode === 'ollama' ? '/api/generate' : '/v1/chat/completions';
      const response = await post(path, { model: this.model, stream, ...bodyOf(prompt, mode) }, ends);
      if (stream) return partsOf(response, mode);
      const message = (await response.json()) as ModelMessage;
      requireNoError(message);
      return message;
    }
  };

  async function embed(
    prompt: string | object,
    { mean_pool = true, normalize = true }: RunOptions,
    signal: AbortSignal,
  ): Promise<number[]> {
    if (typeof prompt !== 'string') throw new TypeError('the prompt of gte-small must be a text');
    if (!mean_pool) throw new TypeError('mean_pool must be true: the host returns one vector for a text');
    const body = { model: options?.embeddingModel ?? EMBEDDINGS, input: prompt, encoding_format: 'float' };
    const response = await post('/v1/embeddings', body, signal);
    const message = (await response.json()) as ModelMessage;
    requireNoError(message);
    const vector = message.data?.[0]?.embedding;
    if (!Array.isArray(vector)) throw new Error(`${label('/v1/embeddings')} returned no vector`);
    return normalize ? normalized(vector) : vector;
  }
}

function label(path: string): string {
  return `the host of models (${path})`;
}

function bodyOf(prompt: string | object, mode: 'ollama' | 'openaicompatible'): object {
  if (mode === 'ollama') return { prompt };
  return typeof prompt === 'string' ? { messages: [{ role: 'user', content: prompt }] } : prompt;
}

/** Yields the parts of a stream. Throws if it ends before the response of the model does. */
async function* partsOf(response: Response, mode: 'ollama' | 'openaicompatible') {
  if (response.body === null) throw new Error('the host of models returned no stream');
  let isComplete = false;
  const texts = mode === 'ollama' ? readLines(response.body) : readEvents(response.body);
  for await (const text of texts) {
    if (text === '') continue;
    if (text === '[DONE]') return;
    const message = JSON.parse(text) as ModelMessage;
    requireNoError(message);
    yield message;
    if (message.done === true) return;
    // Numbers of tokens may follow.
    isComplete ||= Boolean(message.choices?.[0]?.finish_reason);
  }
  if (!isComplete) throw new Error('the stream of the host of models ended early');
}

function requireNoError({ error }: ModelMessage): void {
  if (error !== undefined && error !== null) throw new Error(`the host of models failed: ${textOf(error)}`);
}

/** Hosts report an error as a text, or as an object with a message. */
function textOf(error: unknown): string {
  const message = typeof error === 'object' ? (error as { message?: unknown } | null)?.message : error;
  return String(message ?? JSON.stringify(error)).slice(0, MAX_REASON_LENGTH);
}

async function reasonIn(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as ModelMessage;
    return error === undefined ? '' : `: ${textOf(error)}`;
  } catch {
    return text === '' ? '' : `: ${text.slice(0, MAX_REASON_LENGTH)}`;
  }
}

/** Returns the vector with length 1. */
function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
