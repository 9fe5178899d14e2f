/** Reads a response into the columns of `net._http_response`. */
import { headerOf } from './redirect.ts';
import type { Outcome, StoredResponse } from './request.ts';
import type { TransportResponse } from './transport.ts';

/** Reads a response. Rejects if the connection ends before the body does. */
export async function readResponse(
  { status, headers, body }: TransportResponse,
  maxBytes: number,
): Promise<Outcome> {
  const content = await readContent(body, maxBytes);
  const response: Omit<StoredResponse, 'id'> = {
    status_code: status,
    content_type: textOf(headerOf(headers, 'content-type')),
    headers: headerObject(headers),
    content: content ?? null,
    timed_out: false,
    error_msg: content === undefined ? `The response has more than ${maxBytes} bytes` : null,
  };
  return { kind: 'response', response };
}

/** Returns the body; null if it is empty, undefined if it is too long. */
async function readContent(
  body: TransportResponse['body'],
  maxBytes: number,
): Promise<string | null | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return textOf(Buffer.concat(chunks).toString('utf8')) || null;
}

function headerObject(headers: readonly string[]): Record<string, string> {
  const entries: [string, string][] = [];
  for (let index = 0; index < headers.length; index += 2) {
    entries.push([headers[index] ?? '', textOf(headers[index + 1]) ?? '']);
  }
  return Object.fromEntries(entries);
}

/** PostgreSQL stores no zero characters; the text ends at the first, as in pg_net. */
function textOf(text: string | undefined): string | null {
  return text === undefined ? null : (text.split('\0', 1)[0] ?? '');
}
