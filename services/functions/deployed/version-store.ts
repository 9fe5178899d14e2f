/** Deployed functions and their versions in the database. */
import type { Database, Transaction } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { notifyStatement } from './notify.ts';

/** A deployed function and the version that is served. */
export interface DeployedFunction {
  name: string;
  version: number;
  hash: string;
  verify_jwt: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A version of a function. */
export interface DeployedVersion {
  version: number;
  hash: string;
  verify_jwt: boolean;
  files: number;
  bytes: number;
  created_at: Date;
  /** Whether it is served. */
  active: boolean;
}

/** A version to store. */
interface NewVersion {
  name: string;
  hash: string;
  verifiesJwt: boolean;
  files: number;
  bytes: number;
  archive: Buffer;
}

/** The stored functions. Errors are those of the catalogue. */
export interface VersionStore {
  /** Lists the functions by name. */
  list(): Promise<DeployedFunction[]>;
  /** Lists the versions of a function, newest first. Rejects if it is not deployed. */
  versions(name: string): Promise<DeployedVersion[]>;
  /** Returns the archive of a version; undefined if there is none. */
  archive(name: string, version: number): Promise<Buffer | undefined>;
  /** Stores a version that is served then, and removes the oldest ones. A version with the served content is not stored. */
  add(version: NewVersion): Promise<{ version: number; isNew: boolean }>;
  /** Lets another version be served. Rejects if there is none. */
  serve(name: string, version: number): Promise<void>;
  /** Removes a function with its versions. Rejects if it is not deployed. */
  remove(name: string): Promise<void>;
}

/** Opens the store, which keeps `kept` versions of each function. */
export function createVersionStore(database: Database, { kept }: { kept: number }): VersionStore {
  return {
    list: () =>
      database.query<DeployedFunction>({
        text: `select f.name, f.version, v.hash, v.verify_jwt, f.created_at, f.updated_at
          from greenroom.deployed_functions f join greenroom.deployed_function_versions v using (name, version)
          order by f.name collate "C"`,
      }),
    async versions(name) {
      const rows = await database.query<DeployedVersion>({
        text: `select v.version, v.hash, v.verify_jwt, v.files, v.bytes, v.created_at, v.version = f.version as active
          from greenroom.deployed_functions f join greenroom.deployed_function_versions v using (name)
          where name = $1 order by v.version desc`,
        values: [name],
      });
      if (rows.length === 0) throw notDeployed(name);
      return rows;
    },
    async archive(name, version) {
      const [row] = await database.query<{ archive: Buffer }>({
        text: 'select archive from greenroom.deployed_function_versions where name = $1 and version = $2',
        values: [name, version],
      });
      return row?.archive;
    },
    add: (version) => database.transaction((tx) => addVersion(tx, version, kept)),
    serve: (name, version) =>
      database.transaction(async (tx) => {
        const rows = await tx.query({
          text: `update greenroom.deployed_functions f set version = v.version, updated_at = now()
            from greenroom.deployed_function_versions v
            where f.name = $1 and v.name = f.name and v.version = $2 returning f.name`,
          values: [name, version],
        });
        if (rows.length === 0) throw notDeployed(name);
        await tx.commit([notifyStatement('functions')]);
      }),
    remove: (name) =>
      database.transaction(async (tx) => {
        const rows = await tx.query({
          text: 'delete from greenroom.deployed_functions where name = $1 returning name',
          values: [name],
        });
        if (rows.length === 0) throw notDeployed(name);
        await tx.commit([notifyStatement('functions')]);
      }),
  };
}

async function addVersion(tx: Transaction, added: NewVersion, kept: number) {
  const { name, hash, verifiesJwt, files, bytes, archive } = added;
  // Locks the row of the function until the end of the transaction: deployments of one name follow each other.
  await tx.query({
    text: `insert into greenroom.deployed_functions (name, version, last_version) values ($1, 0, 0)
      on conflict (name) do update set name = excluded.name`,
    values: [name],
  });
  const [served] = await tx.query<{ version: number; hash: string | null }>({
    text: `select f.version, v.hash
      from greenroom.deployed_functions f left join greenroom.deployed_function_versions v using (name, version)
      where name = $1`,
    values: [name],
  });
  if (served !== undefined && served.hash === hash) return { version: served.version, isNew: false };
  const [row] = await tx.query<{ version: number }>({
    text: `update greenroom.deployed_functions
      set version = last_version + 1, last_version = last_version + 1, updated_at = now()
      where name = $1 returning version`,
    values: [name],
  });
  const version = row?.version ?? 1;
  await tx.query({
    text: `insert into greenroom.deployed_function_versions (name, version, hash, verify_jwt, files, bytes, archive)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [name, version, hash, verifiesJwt, files, bytes, archive],
  });
  const removeOldest = {
    text: `delete from greenroom.deployed_function_versions where name = $1 and version in (
        select version from greenroom.deployed_function_versions where name = $1 order by version desc offset $2
      )`,
    values: [name, kept],
  };
  await tx.commit([removeOldest, notifyStatement('functions')]);
  return { version, isNew: true };
}

/** Returns the error for a function that is not deployed. */
function notDeployed(name: string): Error {
  return failure('NOT_DEPLOYED', { message: `The function ${name} is not deployed in this instance` });
}
