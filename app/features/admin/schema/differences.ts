/** Compares definitions, so that an administrator sees what another one has changed. */

/** Lines that only one of two definitions has. */
export interface Differences {
  removed: readonly string[];
  added: readonly string[];
}

/** Returns a definition as lines: one for each value, with its path. Parts of a list have the name of their object. */
export function linesOfDefinition(definition: unknown, path = ''): string[] {
  if (Array.isArray(definition)) {
    return definition.flatMap((part, index) => linesOfDefinition(part, join(path, labelOf(part, index))));
  }
  if (definition !== null && typeof definition === 'object') {
    return Object.entries(definition).flatMap(([key, value]) => linesOfDefinition(value, join(path, key)));
  }
  return [`${path}: ${JSON.stringify(definition ?? null)}`];
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}

function labelOf(part: unknown, index: number): string {
  const { name } = (part ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : String(index + 1);
}

/** Compares the lines of two definitions. */
export function differencesBetween(former: readonly string[], next: readonly string[]): Differences {
  const formerLines = new Set(former);
  const nextLines = new Set(next);
  return {
    removed: former.filter((line) => !nextLines.has(line)),
    added: next.filter((line) => !formerLines.has(line)),
  };
}
