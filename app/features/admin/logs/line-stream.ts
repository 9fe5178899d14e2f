/** Reads lines of JSON from a response while it arrives. */

/** Calls `use` with the values of each part that arrives, until the end of the body. Rejects if it breaks off. */
export async function readJsonLines(
  body: ReadableStream<Uint8Array>,
  use: (values: unknown[]) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    const values = parts.filter((part) => part !== '').map((part) => JSON.parse(part) as unknown);
    if (values.length > 0) use(values);
  }
}
