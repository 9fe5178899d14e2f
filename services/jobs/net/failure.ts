/** Messages for requests without a response, in the words of pg_net where it has some. */

const COULD_NOT_RESOLVE = "Couldn't resolve host name";
const COULD_NOT_CONNECT = "Couldn't connect to server";
const NO_DATA = 'Server returned nothing (no headers, no data)';
const WEIRD_REPLY = 'Weird server reply';

/** The error of undici for a response that is not HTTP. */
const PARSER_ERROR = 'HTTPParserError';

const MESSAGES: Readonly<Record<string, string>> = {
  ENOTFOUND: COULD_NOT_RESOLVE,
  EAI_AGAIN: COULD_NOT_RESOLVE,
  ECONNREFUSED: COULD_NOT_CONNECT,
  EHOSTUNREACH: COULD_NOT_CONNECT,
  ENETUNREACH: COULD_NOT_CONNECT,
  ETIMEDOUT: COULD_NOT_CONNECT,
  UND_ERR_CONNECT_TIMEOUT: COULD_NOT_CONNECT,
  ECONNRESET: NO_DATA,
  EPIPE: NO_DATA,
  UND_ERR_SOCKET: NO_DATA,
  UND_ERR_HEADERS_OVERFLOW: WEIRD_REPLY,
};

/** Returns the message for an error of a connection or of a request. */
export function failureMessage(error: unknown): string {
  if (error instanceof Error && error.name === PARSER_ERROR) return WEIRD_REPLY;
  const code = codeOf(error);
  const known = code === undefined ? undefined : MESSAGES[code];
  return known ?? (error instanceof Error ? error.message : String(error));
}

/** Whether no server listens at the address. */
export function isConnectionRefused(error: unknown): boolean {
  return codeOf(error) === 'ECONNREFUSED';
}

/** Returns the code of an error, or that of the first attempt if several addresses were tried. */
function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { code?: string; errors?: unknown[] };
  return code ?? (errors?.[0] as { code?: string } | undefined)?.code;
}
