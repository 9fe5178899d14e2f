/**
 * Restores a logical backup: into the empty external database of `DATABASE_URL`, or without it into a new cluster of the
 * embedded PostgreSQL.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Archive,
  createChunkReader,
  type LogicalManifest,
  restoreFolderFiles,
  restoreLogical,
} from '@greenroom/backup';
import { checkExternalPostgres, startEmbeddedPostgres } from '@greenroom/postgres';
import type { ProjectToRun } from '@greenroom/project';
import { extensionPlaces } from '../extension-places.ts';
import { loadOrCreateKeys } from '../instance-keys.ts';
import { services } from '../services.ts';
import type { Config } from '../settings.ts';

/** The owner of the database of the embedded PostgreSQL, who is no superuser. */
const PROJECT_OWNER = 'postgres';
/**
 * On an external server, one role owns everything. Here the superuser runs the migrations of Greenroom, so the project
 * must not own the tables that they use.
 */
const HAND_OVER = `do $$
declare
  statement text;
begin
  for statement in
    select format('alter table greenroom.%I owner to supabase_admin', relname) from pg_catalog.pg_class relation
      where relnamespace = 'greenroom'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select format('alter sequence greenroom.%I owner to supabase_admin', relname) from pg_catalog.pg_class relation
      where relnamespace = 'greenroom'::regnamespace and relkind = 'S' and not exists (
        select from pg_catalog.pg_depend
        where classid = 'pg_catalog.pg_class'::regclass and objid = relation.oid and deptype in ('a', 'i')
      )
    union all
    select format('alter routine %s owner to supabase_admin', oid::regprocedure) from pg_catalog.pg_proc
      where pronamespace = 'greenroom'::regnamespace
    union all
    select 'alter schema greenroom owner to supabase_admin'
  loop
    execute statement;
  end loop;
  -- As a migration grants them in a new cluster.
  grant usage on schema greenroom to postgres;
  grant select, update on greenroom.project to postgres;
end $$`;

/** Options of {@link restoreLogicalState}. */
interface LogicalStateOptions {
  archive: Archive;
  manifest: LogicalManifest;
  /** The new data folder, which must not exist. */
  folder: string;
  config: Config;
  project: ProjectToRun | undefined;
  onProgress: (line: string) => void;
  signal: AbortSignal;
}

/** Writes the database and the settings. Rejects with an `ArchiveError`; then an external database is still empty. */
export async function restoreLogicalState(options: LogicalStateOptions): Promise<void> {
  const { archive, manifest, folder, config, onProgress, signal } = options;
  const reader = createChunkReader(archive);
  // PostgreSQL, which may run as another user, passes through this folder.
  await mkdir(folder, { mode: 0o711 });
  await restoreFolderFiles(folder, reader, manifest.indexes.settings ?? []);
  const withDerivedPassword = new Set<string>(services.flatMap(({ roles }) => roles));
  const restore = async (
    target: Pick<Parameters<typeof restoreLogical>[0], 'url' | 'owner' | 'completion'>,
  ) => {
    const { omissions } = await restoreLogical({
      ...target,
      reader,
      index: manifest.indexes.database ?? [],
      isPasswordDerived: (role) => withDerivedPassword.has(role),
      signal,
    });
    for (const omission of omissions) onProgress(`  left out: ${omission}`);
  };
  if (config.databaseUrl === undefined) return withCluster(options, restore);
  await checkExternalPostgres(config.databaseUrl);
  await restore({ url: config.databaseUrl });
}

/** Runs `restore` with an empty cluster. A template would have the tables of the services. */
async function withCluster(
  { folder, config, project }: LogicalStateOptions,
  restore: (target: { url: string; owner: string; completion: string }) => Promise<void>,
): Promise<void> {
  const keys = await loadOrCreateKeys(join(folder, 'keys.json'), config);
  const { added, project: ofProject } = extensionPlaces(folder, project?.project);
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: keys.file.databasePassword,
    superuserPassword: keys.file.databaseSuperuserPassword,
    vaultKey: keys.file.vaultKey,
    userConfiguration: join(folder, 'postgresql.conf'),
    isRestored: true,
    extensionFolders: [added, ...(ofProject === undefined ? [] : [ofProject])],
    parameters: config.databaseParameters,
    memoryLimitMb: config.databaseMemoryLimitMb,
  });
  try {
    await restore({ url: postgres.superuser.localUrl, owner: PROJECT_OWNER, completion: HAND_OVER });
  } finally {
    await postgres.stop();
  }
}
