/** Finds the line of each key of a TOML document, which the parser does not report. */
import { scanToml } from './scan-toml.ts';

/** Line numbers, from 1, by paths of keys. */
interface KeyLines {
  /** Returns the line of a key, or of the closest table around it; 1 if there is none. */
  lineOf(path: readonly string[]): number;
}

/** Finds the lines of all keys and tables of a valid document. */
export function findKeyLines(text: string): KeyLines {
  const indexes = new Map<string, number>();
  for (const { path, start } of scanToml(text)) {
    for (let length = path.length; length > 0; length--) {
      const name = JSON.stringify(path.slice(0, length));
      if (!indexes.has(name)) indexes.set(name, start);
    }
  }
  return {
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const index = indexes.get(JSON.stringify(path.slice(0, length)));
        if (index !== undefined) return text.slice(0, index).split('\n').length;
      }
      return 1;
    },
  };
}
