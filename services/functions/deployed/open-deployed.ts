/** Opens the deployed functions and secrets of the database. Follows the changes of all nodes. */
import type { Logger } from '@greenroom/log';
import type { ChannelSubscriber, Database, Subscription } from '@greenroom/postgres';
import type { ProjectFunction } from '@greenroom/project';
import type { Preparation } from '../runtime/preparation.ts';
import { Deployments } from './deployments.ts';
import { CHANNEL, type DeployedChange } from './notify.ts';
import { createSecretStore, type SecretStore } from './secret-store.ts';
import { createVersionStore, type VersionStore } from './version-store.ts';

/** Options of {@link openDeployed}. */
interface DeployedOptions {
  /** Logged in as the role of the service. */
  database: Database;
  /** Subscribes to a channel of the database. */
  listen: (channel: string, subscriber: ChannelSubscriber) => Subscription;
  /** Encrypts secrets; 32 bytes. */
  key: Buffer;
  keptVersions: number;
  preparation: Preparation;
  log: Logger;
  /** Called when other versions are served. */
  onFunctions(): Promise<void>;
  /** Called when secrets have changed. */
  onSecrets(): Promise<void>;
}

/** Deployed functions and secrets. */
export interface Deployed {
  /** Begins to follow the changes of all nodes. */
  start(): void;
  deployments: Deployments;
  versions: VersionStore;
  secrets: SecretStore;
  /** Lists the functions that this node serves. */
  list(): Promise<readonly ProjectFunction[]>;
  /** Returns the secrets as this node last read them. */
  currentSecrets(): Promise<ReadonlyMap<string, string>>;
  /** Reads the secrets again, for requests of this node. */
  refreshSecrets(): Promise<void>;
  close(): Promise<void>;
}

/** Opens both. */
export function openDeployed(options: DeployedOptions): Deployed {
  const { database, listen, key, keptVersions, preparation, log, onFunctions, onSecrets } = options;
  const versions = createVersionStore(database, { kept: keptVersions });
  const secrets = createSecretStore(database, key);
  const deployments = new Deployments({ store: versions, preparation, log, onChange: onFunctions });
  let known: Promise<ReadonlyMap<string, string>> | undefined;

  async function readSecrets(): Promise<ReadonlyMap<string, string> | undefined> {
    try {
      const stored = [...(await secrets.read())];
      const unreadable = stored.filter(([, value]) => value === undefined).map(([name]) => name);
      if (unreadable.length > 0)
        log.error(
          { secrets: unreadable },
          'secrets were changed, or encrypted with another key. Set them again: greenroom secrets set',
        );
      return new Map(stored.filter((entry): entry is [string, string] => entry[1] !== undefined));
    } catch (error) {
      log.error({ err: error }, 'the secrets of functions could not be read');
      return undefined;
    }
  }

  async function refreshSecrets(): Promise<void> {
    const former = await known;
    const next = await readSecrets();
    if (next === undefined) return;
    known = Promise.resolve(next);
    if (former !== undefined && !isEqual(former, next)) await onSecrets();
  }

  const onError = (error: unknown) => log.error({ err: error }, 'a change of functions could not be applied');
  const startListening = () =>
    listen(CHANNEL, {
      onNotification: (change) => {
        if (change === ('secrets' satisfies DeployedChange)) refreshSecrets().catch(onError);
        else void deployments.follow();
      },
      // One after the other, so that one connection suffices.
      onListening: () =>
        void refreshSecrets()
          .catch(onError)
          .then(() => deployments.follow()),
      onLost: (error, pauseMs) =>
        log.warn({ reason: error.message, pauseMs }, 'changes of functions are not received; it is retried'),
    });

  let subscription: Subscription | undefined;
  return {
    start() {
      subscription = startListening();
    },
    deployments,
    versions,
    secrets,
    list: () => deployments.list(),
    async currentSecrets() {
      known ??= readSecrets().then((read) => read ?? new Map());
      return known;
    },
    refreshSecrets,
    async close() {
      subscription?.close();
      await database.close();
    },
  };
}

function isEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
