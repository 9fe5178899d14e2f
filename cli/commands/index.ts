/** All commands, in the order of the help. A new command is one line here, and a file. */
import type { CommandDefinition } from '../definition.ts';
import { adminLink } from './admin-link.command.ts';
import { backupCheck } from './backup/check.command.ts';
import { backupCreate } from './backup/create.command.ts';
import { backupKeygen } from './backup/keygen.command.ts';
import { backupList } from './backup/list.command.ts';
import { backupPrune } from './backup/prune.command.ts';
import { backupVerify } from './backup/verify.command.ts';
import { build } from './build.command.ts';
import { completion } from './completion.command.ts';
import { config } from './config/config.command.ts';
import { configDiff } from './config/diff.command.ts';
import { dbAdvisors } from './db/advisors.command.ts';
import { dbSchemaGenerate } from './db/declarative-generate.command.ts';
import { dbSchemaSync } from './db/declarative-sync.command.ts';
import { dbDiff } from './db/diff.command.ts';
import { dbDump } from './db/dump.command.ts';
import { dbLint } from './db/lint.command.ts';
import { dbPull } from './db/pull.command.ts';
import { dbPush } from './db/push.command.ts';
import { dbQuery } from './db/query.command.ts';
import { dbReset } from './db/reset.command.ts';
import { dbSeed } from './db/seed.command.ts';
import { dbStart } from './db/start.command.ts';
import { dev } from './dev.command.ts';
import { doctor } from './doctor.command.ts';
import { extensionsAdd } from './extensions/add.command.ts';
import { extensionsList } from './extensions/list.command.ts';
import { extensionsRemove } from './extensions/remove.command.ts';
import { functionsDelete } from './functions/delete.command.ts';
import { functionsDeploy } from './functions/deploy.command.ts';
import { functionsDownload } from './functions/download.command.ts';
import { functionsList } from './functions/list.command.ts';
import { functionsLogs } from './functions/logs.command.ts';
import { functionsNew } from './functions/new.command.ts';
import { functionsRollback } from './functions/rollback.command.ts';
import { functionsServe } from './functions/serve.command.ts';
import { functionsVersions } from './functions/versions.command.ts';
import { genBearerJwt } from './gen/bearer-jwt.command.ts';
import { genSigningKey } from './gen/signing-key.command.ts';
import { genTypes } from './gen/types.command.ts';
import { init } from './init/init.command.ts';
import { inspectDb } from './inspect/db.command.ts';
import { inspectReport } from './inspect/report.command.ts';
import { keysList } from './keys/list.command.ts';
import { keysRevoke } from './keys/revoke.command.ts';
import { keysRotate } from './keys/rotate.command.ts';
import { list } from './list.command.ts';
import { logs } from './logs.command.ts';
import { migrationDown } from './migration/down.command.ts';
import { migrationFetch } from './migration/fetch.command.ts';
import { migrationList } from './migration/list.command.ts';
import { migrationNew } from './migration/new.command.ts';
import { migrationRepair } from './migration/repair.command.ts';
import { migrationSquash } from './migration/squash.command.ts';
import { migrationUp } from './migration/up.command.ts';
import { restore } from './restore.command.ts';
import { secretsList } from './secrets/list.command.ts';
import { secretsSet } from './secrets/set.command.ts';
import { secretsUnset } from './secrets/unset.command.ts';
import { seedBuckets } from './seed/buckets.command.ts';
import { serviceInstall } from './service/install.command.ts';
import { serviceStatus } from './service/status.command.ts';
import { serviceUninstall } from './service/uninstall.command.ts';
import { services } from './services.command.ts';
import { start } from './start.command.ts';
import { status } from './status.command.ts';
import { stop } from './stop.command.ts';
import { storageCp } from './storage/cp.command.ts';
import { storageLs } from './storage/ls.command.ts';
import { storageMv } from './storage/mv.command.ts';
import { storageRm } from './storage/rm.command.ts';
import { testDb } from './test/db.command.ts';
import { testNew } from './test/new.command.ts';
import { upgrade } from './upgrade/upgrade.command.ts';
import { version } from './version.command.ts';
import { webhooksList } from './webhooks/list.command.ts';
import { webhooksReplay } from './webhooks/replay.command.ts';
import { webhooksRotate } from './webhooks/rotate.command.ts';

export const COMMANDS: readonly CommandDefinition[] = [
  init,
  start,
  dev,
  stop,
  list,
  status,
  logs,
  services,
  doctor,
  config,
  configDiff,
  build,
  migrationNew,
  migrationList,
  migrationUp,
  migrationDown,
  migrationRepair,
  migrationSquash,
  migrationFetch,
  dbReset,
  dbSeed,
  dbDiff,
  dbPull,
  dbPush,
  dbSchemaGenerate,
  dbSchemaSync,
  dbQuery,
  dbLint,
  dbAdvisors,
  dbDump,
  dbStart,
  backupCreate,
  backupList,
  backupVerify,
  backupCheck,
  backupPrune,
  backupKeygen,
  restore,
  ...inspectDb,
  inspectReport,
  testDb,
  testNew,
  seedBuckets,
  storageLs,
  storageCp,
  storageMv,
  storageRm,
  functionsNew,
  functionsList,
  functionsDeploy,
  functionsVersions,
  functionsRollback,
  functionsDelete,
  functionsDownload,
  functionsServe,
  functionsLogs,
  secretsSet,
  secretsList,
  secretsUnset,
  webhooksList,
  webhooksReplay,
  webhooksRotate,
  genTypes,
  genSigningKey,
  genBearerJwt,
  keysList,
  keysRotate,
  keysRevoke,
  extensionsList,
  extensionsAdd,
  extensionsRemove,
  serviceInstall,
  serviceUninstall,
  serviceStatus,
  adminLink,
  completion,
  upgrade,
  version,
];

/** Summaries of the commands that have subcommands. */
export const GROUPS: Readonly<Record<string, string>> = {
  migration: 'Create, list, apply, revert, join or repair the migrations of a project',
  db: 'Replace, seed, compare, check, copy or query the database of a project',
  backup: 'Back up an instance, and list or check backups',
  'db schema': 'Work with a declared schema',
  'db schema declarative': 'Write the declared schema as files, or as migrations',
  inspect: 'Report the state of a database',
  'inspect db': 'Print one report',
  test: 'Run or create tests of the database',
  seed: 'Upload the files of buckets',
  storage: 'List, copy, move or delete the objects of the running instance',
  functions: 'Create, list or deploy the functions of a project',
  secrets: 'Set, list or remove the secrets of functions',
  webhooks: 'List database webhooks, send failed ones again, or change their secret',
  gen: 'Generate types, signing keys and access tokens',
  keys: 'List, rotate or revoke the keys that sign tokens',
  extensions: 'List, add or remove extensions of the embedded PostgreSQL',
  service: 'Run a project as a service of systemd',
};
