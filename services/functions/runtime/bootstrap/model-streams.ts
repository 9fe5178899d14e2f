/** The two forms of streams of models: one message in each line, and server-sent events. */

/** Yields the lines of a stream; the last one may have no end. The stream is cancelled if the caller leaves. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const texts = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  for await (const text of texts as unknown as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}

/** Yields the data of each event, whose fields are lines. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
  if (data.length > 0) yield data.join('\n');
}
