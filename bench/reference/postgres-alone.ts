/**
 * The reference of starts: PostgreSQL alone, from the start of its process to the first row. The argument is the data
 * folder of an instance that is not running. Prints milliseconds.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase, startEmbeddedPostgres } from '@greenroom/postgres';

const [folder = ''] = process.argv.slice(2);
const keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as {
  databasePassword: string;
  databaseSuperuserPassword: string;
};
const started = performance.now();
const server = await startEmbeddedPostgres({
  directory: join(folder, 'postgres'),
  port: 0,
  portIsFixed: false,
  password: keys.databasePassword,
  superuserPassword: keys.databaseSuperuserPassword,
});
const database = openDatabase({ url: server.localUrl, max: 1, applicationName: 'bench' });
await database.query({ text: 'select 1' });
process.stdout.write(String(performance.now() - started));
await database.close();
await server.stop();
