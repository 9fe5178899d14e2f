/** The secrets of functions in the database, encrypted. */
import { seal, unseal } from '@greenroom/keys';
import type { Database } from '@greenroom/postgres';
import { notifyStatement } from './notify.ts';
import { requireCount } from './secret-rules.ts';

/** The stored secrets. */
export interface SecretStore {
  /** Returns all secrets, by name in their order. One that cannot be decrypted is undefined. */
  read(): Promise<ReadonlyMap<string, string | undefined>>;
  /** Sets secrets, and keeps the others. Rejects with an error of the catalogue if there would be too many. */
  set(secrets: ReadonlyMap<string, string>): Promise<void>;
  /** Removes secrets. Returns the names of those that existed. */
  unset(names: readonly string[]): Promise<string[]>;
}

/** Opens the store. @param key 32 bytes that are not in the database */
export function createSecretStore(database: Database, key: Buffer): SecretStore {
  return {
    async read() {
      const rows = await database.query<{ name: string; value: string }>({
        text: 'select name, value from greenroom.function_secrets order by name collate "C"',
      });
      return new Map(rows.map(({ name, value }) => [name, unseal(value, key, ownerOf(name))]));
    },
    set: (secrets) =>
      database.transaction(async (tx) => {
        // Other nodes may add secrets at the same time.
        await tx.query({ text: 'lock table greenroom.function_secrets in share row exclusive mode' });
        for (const [name, value] of secrets)
          await tx.query({
            text: `insert into greenroom.function_secrets (name, value) values ($1, $2)
              on conflict (name) do update set value = excluded.value, updated_at = now()`,
            values: [name, seal(value, key, ownerOf(name))],
          });
        const [row] = await tx.query<{ count: number }>({
          text: 'select count(*)::int as count from greenroom.function_secrets',
        });
        requireCount(row?.count ?? 0);
        await tx.commit([notifyStatement('secrets')]);
      }),
    unset: (names) =>
      database.transaction(async (tx) => {
        const rows = await tx.query<{ name: string }>({
          text: 'delete from greenroom.function_secrets where name = any ($1) returning name',
          values: [names],
        });
        await tx.commit([notifyStatement('secrets')]);
        return rows.map(({ name }) => name);
      }),
  };
}

/** A ciphertext is valid for its own row only. */
function ownerOf(name: string): string {
  return `function secret ${name}`;
}
