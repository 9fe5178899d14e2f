/**
 * Limits of one query string. A URL is cheap to send, but each limited element costs time in the planner and in
 * PostgreSQL, or stack in a recursive parser.
 */

/** Characters of the raw query string. */
export const MAX_QUERY_CHARACTERS = 65_536;
/** Nesting depth of embeds, and the number of names in a path like `a.b.c.limit`. */
export const MAX_EMBED_DEPTH = 16;
/**
 * Embeds in `select`, on all levels together. PostgreSQL needs 145 ms and 150 MB to plan 100 embeds of one table, but 1.8 s
 * and 1.7 GB for 250.
 */
export const MAX_EMBEDS = 100;
/** Nesting depth of `and` and `or`. */
export const MAX_LOGIC_DEPTH = 32;
/** Steps of one JSON path. */
export const MAX_JSON_STEPS = 32;
/** Items in `select`, on all levels together. A table has at most 1,600 columns. */
export const MAX_SELECT_ITEMS = 2000;
/** Conditions, including `and` and `or` and the conditions in them. */
export const MAX_CONDITIONS = 1000;
/** Values of all `in` lists together. */
export const MAX_LIST_VALUES = 20_000;
/** Terms of all `order` parameters together. */
export const MAX_ORDER_TERMS = 500;
/** Names in `columns` and in `on_conflict` each. */
export const MAX_COLUMNS = 2000;
/** Arguments of a function and parameters `limit` and `offset`, together. */
export const MAX_PARAMETERS = 1000;

/** Counts the elements of one query string. */
export class Usage {
  selectItems = 0;
  embeds = 0;
  conditions = 0;
  listValues = 0;
  orderTerms = 0;
  parameters = 0;
  /** Characters read, including repeated reads. Tests verify with it that the work is linear. */
  characters = 0;
}
