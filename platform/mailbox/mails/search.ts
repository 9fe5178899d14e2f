/**
 * Searches in the syntax of Mailpit: words, texts in double quotes, filters such as `to:`, and `-` or `!` before a term
 * that must not match. All terms must match; case is ignored.
 */
import type { MailAddress, MailSummary } from './mail.ts';

/** A condition. */
export interface SearchTerm {
  filter: Filter | 'text';
  /** In lower case. */
  value: string;
  isExcluded: boolean;
}

/** A search that is not supported. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** Each term without a filter searches in the contents of all mails. */
const MAX_TERMS = 20;

/** The texts that each filter searches in. */
const FILTERS = {
  to: ({ to }: MailSummary) => shown(to),
  from: ({ from }: MailSummary) => shown(from === undefined ? [] : [from]),
  cc: ({ cc }: MailSummary) => shown(cc),
  bcc: ({ bcc }: MailSummary) => shown(bcc),
  'reply-to': ({ replyTo }: MailSummary) => shown(replyTo),
  addressed: ({ from, to, cc, bcc, replyTo }: MailSummary) =>
    shown([...(from === undefined ? [] : [from]), ...to, ...cc, ...bcc, ...replyTo]),
  subject: ({ subject }: MailSummary) => subject,
  'message-id': ({ messageId }: MailSummary) => messageId,
} as const;

type Filter = keyof typeof FILTERS;

/** Filters of Mailpit that have no counterpart here. */
const UNSUPPORTED = /^(?:tag|is|has|before|after|larger|smaller):/i;
const TERM = /(?:[^\s"]|"[^"]*"?)+/g;

/** Parses a search. Throws {@link SearchError}. */
export function parseSearch(text: string): SearchTerm[] {
  const words = text.match(TERM) ?? [];
  if (words.length > MAX_TERMS) throw new SearchError(`a search has at most ${MAX_TERMS} terms`);
  return words.map((word) => word.replaceAll('"', '')).flatMap(toTerm);
}

function toTerm(word: string): SearchTerm[] {
  const isExcluded = word.length > 1 && /^[-!]/.test(word);
  const rest = isExcluded ? word.slice(1) : word;
  const [unsupported] = UNSUPPORTED.exec(rest) ?? [];
  if (unsupported !== undefined) {
    const known = Object.keys(FILTERS).map((name) => `${name}:`);
    throw new SearchError(`the filter ${unsupported} is not supported. Allowed: ${known.join(' ')}`);
  }
  const colon = rest.indexOf(':');
  const name = rest.slice(0, Math.max(colon, 0)).toLowerCase();
  const filter = Object.hasOwn(FILTERS, name) ? (name as Filter) : 'text';
  const value = (filter === 'text' ? rest : rest.slice(colon + 1)).trim().toLowerCase();
  return value === '' ? [] : [{ filter, value, isExcluded }];
}

/** The values of terms that search in the whole mail, in their order. */
export function textsOf(terms: readonly SearchTerm[]): string[] {
  return terms.filter(({ filter }) => filter === 'text').map(({ value }) => value);
}

/**
 * Whether a mail matches all terms.
 * @param hits whether the mail contains each of {@link textsOf}
 */
export function matches(mail: MailSummary, terms: readonly SearchTerm[], hits: readonly boolean[]): boolean {
  const texts = terms.filter(({ filter }) => filter === 'text');
  return terms.every((term) => {
    const isHit =
      term.filter === 'text'
        ? hits[texts.indexOf(term)] === true
        : FILTERS[term.filter](mail).toLowerCase().includes(term.value);
    return isHit !== term.isExcluded;
  });
}

function shown(addresses: readonly MailAddress[]): string {
  return addresses.map(({ name, address }) => `${name} <${address}>`).join(', ');
}
