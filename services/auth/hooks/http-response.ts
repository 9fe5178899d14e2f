/** Reads the HTTP response of a hook. */
import { failure } from '../errors.ts';
import { tooLarge } from './hook-failure.ts';
import { SIZE_LIMIT } from './transport.ts';

/** Statuses that report an error of the hook, and the error message for the client. */
const FAULTS: Record<number, string> = {
  400: 'Invalid payload sent to hook',
  401: 'Hook requires authorization token',
  429: 'Service currently unavailable due to hook',
  503: 'Service currently unavailable due to hook',
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the body as text; undefined for 204. Throws `hook_payload_invalid_content_type`,
 * `hook_payload_over_size_limit` or `unexpected_failure`.
 */
export async function readResponse(response: Response): Promise<string | undefined> {
  try {
    return await read(response);
  } finally {
    // An unread body would keep the connection busy.
    await response.body?.cancel().catch(() => undefined);
  }
}

async function read(response: Response): Promise<string | undefined> {
  const { status } = response;
  if (status === 204) return undefined;
  if (status !== 200 && status !== 202) {
    const message = FAULTS[status] ?? `Unexpected status code returned from hook: ${status}`;
    throw failure('unexpected_failure', { message });
  }
  requireJson(response.headers.get('content-type'));
  return decode(await readBody(response));
}

function requireJson(contentType: string | null): void {
  if (!contentType) throw wrongType('Invalid Content-Type: Missing Content-Type header');
  const [mediaType = ''] = contentType.split(';', 1);
  if (mediaType.trim().toLowerCase() === 'application/json') return;
  throw wrongType(`Invalid JSON response. Received content-type: ${contentType.slice(0, 100)}`);
}

function wrongType(message: string) {
  return failure('hook_payload_invalid_content_type', { message });
}

async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return Buffer.concat(chunks);
      size += part.value.byteLength;
      if (size > SIZE_LIMIT) throw tooLarge();
      chunks.push(part.value);
    }
  } finally {
    reader?.releaseLock();
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw failure('unexpected_failure', { message: 'Error unmarshaling JSON output.' });
  }
}
