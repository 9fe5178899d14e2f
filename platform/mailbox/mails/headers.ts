/** The header of a mail as a message of RFC 5322. */

/** The headers of a source, in their order, as in the source but unfolded (RFC 5322 §2.2.3). */
export function headersOf(source: Buffer): [name: string, value: string][] {
  const text = source.toString('latin1');
  const end = text.search(/\r?\n\r?\n/);
  const head = Buffer.from(end === -1 ? text : text.slice(0, end), 'latin1').toString('utf8');
  return head
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
    });
}
