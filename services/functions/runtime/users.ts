/** The users that functions run as: if the server is root, each function has a separate one without any rights. */
import { readFile, writeFile } from 'node:fs/promises';
import type { ProcessUser } from '../process-user.ts';

/** Numbers that systems leave to programs which need users without names. */
const FIRST_USER = 61_184;
const USERS = 4000;

/** Assigns users. */
export interface Users {
  /** Returns the user of a function, the same at each start; undefined if this process is not root. */
  of(name: string): Promise<ProcessUser | undefined>;
}

/** Opens the assignment that a file contains. */
export async function openUsers(file: string): Promise<Users> {
  if (process.getuid?.() !== 0) return { of: async () => undefined };
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const numbers = new Map(Object.entries(JSON.parse(text) as Record<string, number>));
  let written = Promise.resolve();
  return {
    async of(name) {
      const known = numbers.get(name);
      const uid = known ?? FIRST_USER + (numbers.size % USERS);
      if (known === undefined) {
        numbers.set(name, uid);
        written = written.then(() => writeFile(file, JSON.stringify(Object.fromEntries(numbers))));
      }
      await written;
      return { uid, gid: uid };
    },
  };
}
