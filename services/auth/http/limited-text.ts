/** Reads response bodies of other servers, which may have any length. */

/** Reads the body as text. Throws if it has more than `maxBytes` bytes. */
export async function limitedText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop also closes the connection.
    if (length > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
