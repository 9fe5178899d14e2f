/** Groups icons into requests: one per collection, more if a URL would get too long. Pure. */

interface IconRequest {
  url: string;
  /** Full names. */
  icons: string[];
}

/** Settings of the requests. */
interface BatchSettings {
  /** URL of the icons' folder, with origin and a trailing slash. */
  folder: string;
  /** Maximum length of the whole URL. */
  maxUrlCharacters: number;
}

/**
 * Plans the requests for full names: sorted, without duplicates. A name too long for any request gets its own request.
 */
export function planRequests(names: Iterable<string>, settings: BatchSettings): IconRequest[] {
  const byPrefix = new Map<string, string[]>();
  for (const fullName of [...new Set(names)].sort()) {
    const [prefix = '', name = ''] = fullName.split(':');
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), name]);
  }
  return [...byPrefix].flatMap(([prefix, icons]) => splitRequest(prefix, icons, settings));
}

function splitRequest(prefix: string, names: readonly string[], settings: BatchSettings): IconRequest[] {
  const start = `${settings.folder}${prefix}.json?icons=`;
  const groups: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const last = groups.at(-1);
    length += name.length + 1;
    if (last && length <= settings.maxUrlCharacters) last.push(name);
    else {
      groups.push([name]);
      length = start.length + name.length;
    }
  }
  return groups.map((group) => ({
    url: start + group.join(','),
    icons: group.map((name) => `${prefix}:${name}`),
  }));
}
