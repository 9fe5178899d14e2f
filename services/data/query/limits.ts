/**
 * How much one query string may ask for. A URL is cheap to send, and each of these costs time in the planner and in
 * PostgreSQL, or stack in a parser that calls itself.
 */

/** Characters of the raw query string. */
export const MAX_QUERY_CHARACTERS = 65_536;
/** Embeds within embeds; also the names in a path like `a.b.c.limit`. */
export const MAX_EMBED_DEPTH = 16;
/**
 * Embeds of `select`, on all levels together. PostgreSQL needs 145 ms and 150 MB to plan 100 of them in one table; with
 * 250 it is 1.8 s and 1.7 GB.
 */
export const MAX_EMBEDS = 100;
/** `and` and `or` within each other. */
export const MAX_LOGIC_DEPTH = 32;
/** Arrows of one field. */
export const MAX_JSON_STEPS = 32;
/** Items of `select`, on all levels together. A table has 1,600 columns at most. */
export const MAX_SELECT_ITEMS = 2000;
/** Conditions, also those in `and` and `or`, and these themselves. */
export const MAX_CONDITIONS = 1000;
/** Values of all `in` lists together. */
export const MAX_LIST_VALUES = 20_000;
/** Terms of all `order` together. */
export const MAX_ORDER_TERMS = 500;
/** Names in `columns`, and in `on_conflict`. */
export const MAX_COLUMNS = 2000;
/** Arguments of a function, and each `limit` and `offset`. */
export const MAX_PARAMETERS = 1000;

/** What was asked for so far. One for each query string. */
export class Usage {
  selectItems = 0;
  embeds = 0;
  conditions = 0;
  listValues = 0;
  orderTerms = 0;
  parameters = 0;
  /** Characters that were looked at, again and again if so. Tests see by it that the work is linear. */
  characters = 0;
}
