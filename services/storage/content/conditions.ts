/** Conditional requests, RFC 9110 section 13. */

/** What is known about content. */
interface Validators {
  /** In quotes. */
  eTag: string | undefined;
  lastModified: Date | undefined;
}

/** Headers of a request, in lower case. */
type ConditionHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Whether the client has the content already. `If-Modified-Since` counts only where there is no `If-None-Match`. */
export function isNotModified(headers: ConditionHeaders, { eTag, lastModified }: Validators): boolean {
  const tags = textOf(headers['if-none-match']);
  if (tags !== undefined) return eTag !== undefined && hasTag(tags, eTag);
  const since = timeOf(headers['if-modified-since']);
  return since !== undefined && lastModified !== undefined && inSeconds(lastModified) <= since;
}

/**
 * Header `Range`, unless `If-Range` says that the client has a part of other content: then all of it is wanted.
 */
export function wantedRange(
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

/** Weak comparison: `W/` does not count. */
function hasTag(list: string, eTag: string): boolean {
  if (list.trim() === '*') return true;
  const opaque = eTag.replace(/^W\//, '');
  return list.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Seconds since the epoch: dates in headers have no parts of them. */
function timeOf(header: string | string[] | undefined): number | undefined {
  const ms = Date.parse(textOf(header) ?? '');
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function inSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
