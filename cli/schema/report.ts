/** Prints about a comparison. Everything but the statements themselves is on standard error. */
import { nameOfObject, type SchemaChanges } from '@greenroom/project/schema-diff';

/** Options of {@link report}. */
interface Report {
  /** Throw instead of warning about objects that are not compared. */
  isStrict?: boolean | undefined;
}

/**
 * Warns about statements that delete data, and about objects that are not compared. Returns whether there are statements.
 */
export function report({ parts, unmodelled }: SchemaChanges, { isStrict = false }: Report = {}): boolean {
  const message = unmodelledMessage(unmodelled);
  if (isStrict && message !== undefined) throw new Error(message);
  if (message !== undefined) note(`warning: ${message}`);
  const destructive = parts.flat().filter(({ isDestructive }) => isDestructive);
  if (destructive.length > 0) {
    note('warning: these statements delete objects or data:');
    for (const { sql } of destructive) note(`  ${sql.split('\n', 1)[0]}`);
  }
  if (parts.length === 0) note('no schema changes found');
  return parts.length > 0;
}

/** Returns a message about objects that are not compared; undefined if there are none. */
export function unmodelledMessage(objects: SchemaChanges['unmodelled']): string | undefined {
  if (objects.length === 0) return undefined;
  const names = objects.map(nameOfObject).join(', ');
  return `these objects differ, but are not compared: ${names}. Write their statements by hand.`;
}

/** Prints a line that is not part of the output. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
