/** `db.vault`: stores the secrets of a project in Vault. */
import type { Session } from '@greenroom/postgres';

/** Options of {@link storeSecrets}. */
interface SecretStorage {
  /** Values by name. Default: none. */
  secrets?: ReadonlyMap<string, string>;
  onProgress: (line: string) => void;
}

/**
 * Creates or changes the secrets, before the migrations that may read them. Only says so if the database has no Vault.
 * Secrets that are not declared stay as they are.
 */
export async function storeSecrets(session: Session, { secrets, onProgress }: SecretStorage): Promise<void> {
  if (secrets === undefined || secrets.size === 0) return;
  const [[vault] = []] = await session.batch([
    {
      text: `select true as exists from pg_catalog.pg_proc
        where proname = 'create_secret' and pronamespace = pg_catalog.to_regnamespace('vault')`,
    },
  ]);
  if (vault === undefined) {
    onProgress('warning: the secrets of db.vault are not stored, because the database has no Vault');
    return;
  }
  const names = [...secrets.keys()];
  const [stored = []] = await session.batch([
    { text: 'select id, name from vault.secrets where name = any ($1::text[])', values: [names] },
  ]);
  const ids = new Map(stored.map(({ id, name }) => [name as string, id]));
  await session.batch(
    Array.from(secrets, ([name, value]) =>
      ids.has(name)
        ? { text: 'select vault.update_secret($1, $2)', values: [ids.get(name), value] }
        : { text: 'select vault.create_secret($1, $2)', values: [value, name] },
    ),
  );
}
