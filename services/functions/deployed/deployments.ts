/**
 * The functions that were deployed into the instance, on this node. A version is served only when its files and packages have
 * been prepared here; until then, and if that fails, the former one goes on.
 */
import type { Logger } from '@greenroom/log';
import type { ProjectFunction } from '@greenroom/project';
import { failure } from '../errors.ts';
import type { Preparation } from '../runtime/preparation.ts';
import { StartFailure } from '../start-failure.ts';
import { archiveOf, type FunctionBundle, hashOfBundle, readArchive, sizeOf } from './bundle.ts';
import { keepOnly, type Materialized, materialize } from './materialize.ts';
import type { DeployedVersion, VersionStore } from './version-store.ts';

/** Options of {@link Deployments}. */
interface DeploymentsOptions {
  store: VersionStore;
  preparation: Preparation;
  log: Logger;
  /** Called when the served versions have changed on this node. */
  onChange(): Promise<void>;
}

/** The result of a deployment. */
interface Deployment {
  name: string;
  version: number;
  /** False if the served version has the same content. */
  changed: boolean;
}

export class Deployments {
  readonly #options: DeploymentsOptions;
  readonly #served = new Map<string, Materialized>();
  /** Settles when the work so far has ended: one change at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #firstLoad: Promise<unknown> | undefined;

  constructor(options: DeploymentsOptions) {
    this.#options = options;
  }

  /** Returns the functions that this node serves. Waits for the first load; if that fails, there are none yet. */
  async list(): Promise<ProjectFunction[]> {
    this.#firstLoad ??= this.#exclusively(() => this.#load());
    await this.#firstLoad.catch(() => undefined);
    return [...this.#served.values()].map(({ source }) => source);
  }

  /** Follows the database: prepares and serves what other nodes have deployed. Never rejects. */
  async follow(): Promise<void> {
    const { log, onChange } = this.#options;
    try {
      const hasChanged = await this.#exclusively(() => this.#load());
      if (hasChanged) await onChange();
    } catch (error) {
      log.error({ err: error }, 'deployed functions could not be read');
    }
  }

  /**
   * Prepares and stores a version, and serves it. Rejects with an error of the catalogue, and changes nothing, if the function
   * cannot be prepared.
   */
  async deploy(name: string, bundle: FunctionBundle): Promise<Deployment> {
    const hash = hashOfBundle(bundle);
    const archive = await archiveOf(bundle);
    const { version, isNew } = await this.#exclusively(async () => {
      const prepared = await this.#prepare(name, bundle, hash);
      const { store } = this.#options;
      const { verifiesJwt, files } = bundle;
      const added = await store.add({
        name,
        hash,
        verifiesJwt,
        files: files.length,
        bytes: sizeOf(bundle),
        archive,
      });
      this.#served.set(name, prepared);
      return added;
    });
    await this.#options.onChange();
    return { name, version, changed: isNew };
  }

  /** Serves another stored version; default: the one before. Rejects with an error of the catalogue. */
  async rollBack(name: string, to: number | undefined): Promise<number> {
    const { store, onChange } = this.#options;
    const target = targetOf(name, await store.versions(name), to);
    await this.#exclusively(async () => {
      const bundle = await this.bundleOf(name, target.version);
      const prepared = await this.#prepare(name, bundle, target.hash);
      await store.serve(name, target.version);
      this.#served.set(name, prepared);
    });
    await onChange();
    return target.version;
  }

  /** Returns the files of a version. Rejects with an error of the catalogue. */
  async bundleOf(name: string, version: number): Promise<FunctionBundle> {
    const archive = await this.#options.store.archive(name, version);
    if (archive === undefined) throw noVersion(name, `version ${version}`);
    return readArchive(archive);
  }

  /** Serves a function no longer. Rejects with an error of the catalogue. */
  async remove(name: string): Promise<void> {
    await this.#options.store.remove(name);
    await this.follow();
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Returns whether this node serves other versions than before. */
  async #load(): Promise<boolean> {
    const { store, log } = this.#options;
    const stored = await store.list();
    let hasChanged = false;
    for (const name of this.#served.keys()) {
      if (!stored.some((found) => found.name === name)) hasChanged = this.#served.delete(name);
    }
    for (const { name, version, hash } of stored) {
      if (this.#served.get(name)?.hash === hash) continue;
      await this.#serve(name, version, hash).then(
        () => {
          hasChanged = true;
        },
        (error: unknown) =>
          log.error({ err: error, function: name, version }, 'a deployed version could not be prepared'),
      );
    }
    return hasChanged;
  }

  /** Where no other version is served, this one is prepared in the background, or by its first request. */
  async #serve(name: string, version: number, hash: string): Promise<void> {
    const bundle = await this.bundleOf(name, version);
    const next = this.#served.has(name)
      ? await this.#prepare(name, bundle, hash)
      : await this.#write(name, bundle, hash);
    this.#served.set(name, next);
    await keepOnly(await this.#options.preparation.deployedFolderOf(name), hash);
  }

  /** Rejects with an error of the catalogue that says why the function cannot be prepared. */
  async #prepare(name: string, bundle: FunctionBundle, hash: string): Promise<Materialized> {
    try {
      const written = await this.#write(name, bundle, hash);
      await this.#options.preparation.prepare(written.source);
      return written;
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      throw failure('DEPLOY_FAILED', {
        message: `The function ${name} cannot be prepared: ${publicReason(error.message)}`,
      });
    }
  }

  async #write(name: string, bundle: FunctionBundle, hash: string): Promise<Materialized> {
    const folder = await this.#options.preparation.deployedFolderOf(name);
    return materialize({ name, bundle, hash, folder });
  }
}

/** Returns the version with a number; default: the one before the served one. Throws an error of the catalogue. */
function targetOf(
  name: string,
  versions: readonly DeployedVersion[],
  to: number | undefined,
): DeployedVersion {
  const served = versions.find(({ active }) => active)?.version ?? 0;
  const found = versions.find(({ version }) => (to === undefined ? version < served : version === to));
  if (found === undefined)
    throw noVersion(name, to === undefined ? `version before ${served}` : `version ${to}`);
  return found;
}

function noVersion(name: string, missing: string): Error {
  return failure('NO_SUCH_VERSION', {
    message: `The function ${name} has no ${missing}. greenroom functions versions ${name} lists those that exist`,
  });
}

/**
 * Messages of Deno name files by their paths on the server; the deploying person knows those of the project. A message about
 * any other file may quote it.
 */
function publicReason(message: string): string {
  const own = message.replaceAll(/(?:file:\/\/)?\/\S*\/deployed\/[0-9a-f]{64}\//g, '');
  return own.includes('file:///') ? 'it imports a file that is none of its files' : own;
}
