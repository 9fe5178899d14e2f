/** Hits: users, tables and settings that the server finds by name, for administrators only. */

/** Groups, in the order in which they are shown. */
export const HIT_GROUPS = ['people', 'tables', 'settings'] as const;
export type HitGroup = (typeof HIT_GROUPS)[number];

/** Returns whether a group of the palette consists of hits. */
export function isHitGroup(name: string): name is HitGroup {
  return HIT_GROUPS.some((group) => group === name);
}

/** One user, table, setting or section of the settings. */
export interface Hit {
  /** Path of its page; unique among the hits. */
  to: string;
  label: string;
  /** Secondary text; '' for none. */
  detail: string;
  /** Further texts by which it is found. */
  words: string[];
}

/** The response of the route. */
export interface Hits extends Readonly<Record<HitGroup, Hit[]>> {
  /** Path of the list of all users that contain the text, if there may be more of them; otherwise null. */
  allUsers: string | null;
}

/** Path of the route, below the app's base. */
export const HITS_PATH = '/admin/palette/hits';
/** Parameter with the text. */
export const QUERY_PARAMETER = 'q';

export const MAX_QUERY_CHARACTERS = 100;
const MIN_QUERY_CHARACTERS = 2;

/** Returns the text to search for; undefined if it is too short. */
export function parseHitQuery(text: string): string | undefined {
  const query = text.replaceAll('\0', '').trim().slice(0, MAX_QUERY_CHARACTERS);
  return query.length < MIN_QUERY_CHARACTERS ? undefined : query;
}
