/** Evaluates conditional requests, RFC 9110 section 13. */

/** Validators of stored content. */
interface Validators {
  /** Includes the quotes. */
  eTag: string | undefined;
  lastModified: Date | undefined;
}

/** Request headers, with names in lower case. */
type ConditionHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Whether the client's copy is current. `If-Modified-Since` is ignored if `If-None-Match` is present. */
export function isNotModified(headers: ConditionHeaders, { eTag, lastModified }: Validators): boolean {
  const tags = textOf(headers['if-none-match']);
  if (tags !== undefined) return eTag !== undefined && hasTag(tags, eTag);
  const since = timeOf(headers['if-modified-since']);
  return since !== undefined && lastModified !== undefined && inSeconds(lastModified) <= since;
}

/** Returns the header `Range`, or undefined (the full content) if `If-Range` does not match the content. */
export function effectiveRange(
  headers: ConditionHeaders,
  { eTag, lastModified }: Validators,
): string | undefined {
  const range = textOf(headers.range);
  const condition = textOf(headers['if-range']);
  if (range === undefined || condition === undefined) return range;
  if (/^(?:W\/)?"/.test(condition)) return condition === eTag ? range : undefined;
  const time = timeOf(condition);
  return lastModified !== undefined && time === inSeconds(lastModified) ? range : undefined;
}

/** Weak comparison, which ignores the prefix `W/`. */
function hasTag(list: string, eTag: string): boolean {
  if (list.trim() === '*') return true;
  const opaque = eTag.replace(/^W\//, '');
  return list.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Seconds since the epoch: dates in headers have no fractions of seconds. */
function timeOf(header: string | string[] | undefined): number | undefined {
  const ms = Date.parse(textOf(header) ?? '');
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function inSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
