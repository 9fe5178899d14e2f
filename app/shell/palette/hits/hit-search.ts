/** The search for hits as a state machine. Requests are effects of its states: see `use-hit-search.ts`. */
import { matchesQuery } from '../search-commands.ts';
import { HIT_GROUPS, type Hits, parseHitQuery } from './hits.ts';

/** Why there are no hits: the network, the visitor's access, or the server. */
export type HitProblem = 'offline' | 'refused' | 'failed';

/** `former` are the last hits, of another text. */
export type HitSearch =
  | { kind: 'off' }
  | { kind: 'searching'; query: string; former: Hits | undefined }
  | { kind: 'found'; query: string; hits: Hits }
  | { kind: 'failed'; query: string; former: Hits | undefined; problem: HitProblem };

/** The outcome of the request for a text. */
export type HitAnswer =
  | { type: 'found'; query: string; hits: Hits }
  | { type: 'failed'; query: string; problem: HitProblem };

/** `typed` has the text of the field. `retry` requests a failed search again. */
export type HitEvent = { type: 'typed'; text: string } | { type: 'retry' } | HitAnswer;

/** The state before the first character. */
export const NO_SEARCH: HitSearch = { kind: 'off' };

/** Returns the next state. Answers to another text than that of the field are ignored. */
export function nextHitSearch(search: HitSearch, event: HitEvent): HitSearch {
  switch (event.type) {
    case 'typed':
      return afterText(search, parseHitQuery(event.text));
    case 'retry':
      return search.kind === 'failed' ? startSearch(search.query, search.former) : search;
    case 'found':
      return isAnswer(search, event) ? { kind: 'found', query: event.query, hits: event.hits } : search;
    case 'failed':
      return isAnswer(search, event) ? { ...search, kind: 'failed', problem: event.problem } : search;
  }
}

function afterText(search: HitSearch, query: string | undefined): HitSearch {
  if (query === undefined) return NO_SEARCH;
  if (search.kind !== 'off' && search.query === query) return search;
  return startSearch(query, hitsOf(search));
}

function startSearch(query: string, former: Hits | undefined): HitSearch {
  return { kind: 'searching', query, former };
}

function hitsOf(search: HitSearch): Hits | undefined {
  if (search.kind === 'off') return undefined;
  return search.kind === 'found' ? search.hits : search.former;
}

function isAnswer(search: HitSearch, { query }: HitAnswer): search is HitSearch & { kind: 'searching' } {
  return search.kind === 'searching' && search.query === query;
}

/** Returns the hits to show: those of the text, or until then the former ones that match it. */
export function shownHits(search: HitSearch): Hits | undefined {
  const hits = hitsOf(search);
  if (search.kind === 'off' || search.kind === 'found' || hits === undefined) return hits;
  const groups = HIT_GROUPS.map((name) => [
    name,
    hits[name].filter(({ label, detail, words }) =>
      matchesQuery({ label, words: [detail, ...words] }, search.query),
    ),
  ]);
  return { ...(Object.fromEntries(groups) as Hits), allUsers: null };
}
