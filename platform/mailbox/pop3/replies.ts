/** Replies of POP3 (RFC 1939 §3). */

/** A reply; a session that ends closes its connection after it. */
export interface Reply {
  bytes: Buffer;
  ends: boolean;
}

export function ok(text: string): Reply {
  return { bytes: Buffer.from(`+OK ${text}\r\n`), ends: false };
}

export function error(text: string): Reply {
  return { bytes: Buffer.from(`-ERR ${text}\r\n`), ends: false };
}

/** A reply with lines. */
export function list(text: string, lines: readonly string[]): Reply {
  return { bytes: Buffer.from([`+OK ${text}`, ...lines, '.', ''].join('\r\n')), ends: false };
}

/** A reply with content, whose lines end in CRLF; those that begin with a dot get another one. */
export function content(text: string, source: Buffer): Reply {
  const body = source.toString('latin1').replace(/(^|\n)\./g, '$1..');
  const end = body.endsWith('\r\n') || body === '' ? '.\r\n' : '\r\n.\r\n';
  return { bytes: Buffer.from(`+OK ${text}\r\n${body}${end}`, 'latin1'), ends: false };
}

/** Returns a source whose lines end in CRLF. */
export function withCrlf(source: Buffer): Buffer {
  return Buffer.from(source.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}

/** Returns the header of a source and the first lines of its body. */
export function topOf(source: Buffer, lineCount: number): Buffer {
  const text = source.toString('latin1');
  const blank = /\r?\n\r?\n/.exec(text);
  if (blank === null) return source;
  const bodyStart = blank.index + blank[0].length;
  const lines = text.slice(bodyStart).split(/(?<=\n)/, lineCount);
  return Buffer.from(text.slice(0, bodyStart) + lines.join(''), 'latin1');
}
