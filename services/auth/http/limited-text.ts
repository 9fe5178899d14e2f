/** Bodies of other servers' answers, of which nobody knows how long they are. */

/** The body as text. Throws where it has more bytes than `maxBytes`. */
export async function limitedText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the connection, too.
    if (length > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
