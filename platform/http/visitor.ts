/** Identifies the visitor of a request, for limits per client. */
import { isIP } from 'node:net';
import { secretsEqual } from '@greenroom/keys';
import { isLoopback } from '@greenroom/limits';
import type { FastifyRequest } from 'fastify';

/** Header that contains {@link VisitorOptions.pagesToken}. */
export const PAGES_TOKEN_HEADER = 'x-greenroom-pages';
/** Header with the address of the visitor, for SQL and functions, which cannot see the connection. */
const ADDRESS_HEADER = 'x-forwarded-for';
/** Header in which a holder of the service key sends the address of its visitor. */
const FORWARDED_HEADER = 'sb-forwarded-for';

/** Options of {@link createVisitorReader}. */
interface VisitorOptions {
  /** Secret by which the app's own pages prove that they call a service on behalf of a visitor. */
  pagesToken?: string | undefined;
  /** Whether clients on the loopback are limited like all others. */
  limitsLoopback: boolean;
}

/** Sets `clientAddress` and `isCounted` of requests, and replaces `X-Forwarded-For`, which anyone may send, by the address. */
export interface VisitorReader {
  /** Called for each request, before its credentials are read. */
  read(request: FastifyRequest): void;
  /** Called for a request with the service key: it is not limited per client, unless it names its visitor. */
  readForService(request: FastifyRequest): void;
}

export function createVisitorReader({ pagesToken, limitsLoopback }: VisitorOptions): VisitorReader {
  function set(request: FastifyRequest, address: string): void {
    request.clientAddress = address;
    request.isCounted = address !== '' && (limitsLoopback || !isLoopback(address));
    if (address === '') delete request.headers[ADDRESS_HEADER];
    else request.headers[ADDRESS_HEADER] = address;
  }

  return {
    // A Unix socket has no address, and counting all of its clients as one would let one of them block the others.
    read: (request) => set(request, visitorOfPages(request, pagesToken) ?? request.ip ?? ''),
    readForService(request) {
      const address = firstAddress(request.headers[FORWARDED_HEADER]);
      if (address === undefined) request.isCounted = false;
      else set(request, address);
    },
  };
}

/** Pages call services from this process; the relevant address is that of the page's visitor. */
function visitorOfPages({ headers }: FastifyRequest, pagesToken: string | undefined): string | undefined {
  const token = headers[PAGES_TOKEN_HEADER];
  if (pagesToken === undefined || typeof token !== 'string' || !secretsEqual(token, pagesToken))
    return undefined;
  // Code of the project reads the headers, and must not learn the token.
  delete headers[PAGES_TOKEN_HEADER];
  const address = headers[ADDRESS_HEADER];
  return typeof address === 'string' && isIP(address) !== 0 ? address : undefined;
}

/** Returns the first item of a header if it is an IP address. */
function firstAddress(header: string | string[] | undefined): string | undefined {
  const [first = ''] = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',', 1);
  const address = first.trim();
  return isIP(address) === 0 ? undefined : address;
}
