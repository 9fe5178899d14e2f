/** Offset pagination: parses the requested page and builds the headers that link to others. */
import { failure } from '../errors.ts';

const DEFAULT_PER_PAGE = 50;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** A page; `page` starts at 1. */
export interface Page {
  page: number;
  perPage: number;
}

/** Parses `page` and `per_page`; empty values count as absent. Throws `validation_failed`. */
export function readPage(query: URLSearchParams): Page {
  const page = Math.max(1, readNumber('page', query.get('page') || '1'));
  const perPage = readNumber('per_page', query.get('per_page') || String(DEFAULT_PER_PAGE));
  if (perPage < 1) throw validationFailure('per_page must be at least 1');
  if (page * perPage > Number.MAX_SAFE_INTEGER) throw validationFailure('page is too large');
  return { page, perPage };
}

/** Returns the number of rows before the page. */
export function offsetOf({ page, perPage }: Page): number {
  return (page - 1) * perPage;
}

/**
 * Returns headers `X-Total-Count` and `Link` (RFC 8288). The official client reads the number after the first
 * `=` of each link, so `page` must come first.
 */
export function pageHeaders(target: string, { page, perPage }: Page, total: number): Record<string, string> {
  const last = Math.ceil(total / perPage);
  const next = page < last ? [`<${linkTo(target, { page: page + 1, perPage })}>; rel="next"`] : [];
  return {
    'x-total-count': String(total),
    link: [...next, `<${linkTo(target, { page: last, perPage })}>; rel="last"`].join(', '),
  };
}

/** Query parameters that links repeat. Links omit all others, since a query may contain the API key. */
const LINK_PARAMETERS = ['filter', 'sort', 'channel', 'q'];

function linkTo(target: string, { page, perPage }: Page): string {
  const [path, search = ''] = target.split('?', 2);
  const query = new URLSearchParams(search);
  const link = new URLSearchParams({ page: String(page), per_page: String(perPage) });
  for (const name of LINK_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) link.set(name, value);
  }
  return `${path}?${link}`;
}

function readNumber(name: string, text: string): number {
  if (WHOLE_NUMBER.test(text)) return Number(text);
  throw validationFailure(`${name} must be a whole number, not ${JSON.stringify(text)}`);
}

function validationFailure(reason: string) {
  return failure('validation_failed', { message: `Bad Pagination Parameters: ${reason}` });
}
