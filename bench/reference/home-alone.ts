/**
 * The reference for the home page of a signed-in user: for each page the statements of its data as the user, through
 * the driver, and React's rendering of the same tree, and nothing else. As many pages are in progress as the load has
 * connections.
 */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { prepareRenderAlone } from '@greenroom/app/render-alone';
import pg from 'pg';
import { loadInput } from '../measure/load-process.ts';
import { aloneOptions } from './alone-options.ts';

const WARM_UP_MS = 3000;
const MEASURED_MS = 6000;
/** The default pool size of the data API. */
const CONNECTIONS = 10;

const { apiUrl, anonKey, cookie, databaseUrl, concurrency } = loadInput<{
  apiUrl: string;
  anonKey: string;
  /** The session of the user. */
  cookie: string;
  databaseUrl: string;
  concurrency: number;
}>();

const claims = claimsOf(cookie);

/** The notes and the user's files, with one more of each than the page shows. */
const STATEMENTS = [
  `select id, owner_id, owner_name, text, color, is_shared, version, created_at
    from public.notes order by created_at desc, id limit 201`,
  `select name, id, updated_at, created_at, last_accessed_at, metadata
    from storage.search('${claims.sub}/', 'files', 101, 1, 0, '', 'name', 'asc')`,
].map(asUser);

const renderAlone = await prepareRenderAlone(await aloneOptions({ apiUrl, anonKey }), '/', cookie);
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

await runFor(WARM_UP_MS);
process.stdout.write(String(await runFor(MEASURED_MS)));
process.exit(0);

async function runFor(milliseconds: number): Promise<number> {
  const start = performance.now();
  let pages = 0;
  const loop = async () => {
    while (performance.now() - start < milliseconds) {
      await Promise.all(STATEMENTS.map((text) => pool.query(text)));
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      renderAlone(nowhere);
      await once(nowhere, 'finish');
      pages += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return pages / ((performance.now() - start) / 1000);
}

/** Policies decide which rows a user sees, so each statement runs with the user's role and claims, in one message. */
function asUser(statement: string): string {
  const text = JSON.stringify(claims).replaceAll("'", "''");
  return `begin; select set_config('role', 'authenticated', true), set_config('request.jwt.claims', '${text}', true);
    ${statement}; commit`;
}

/** Reads the claims of the access token in the session's cookie. */
function claimsOf(cookies: string): { sub: string } {
  const encoded = /auth-token=base64-([\w-]+)/.exec(cookies)?.[1] ?? '';
  const { access_token: token } = JSON.parse(Buffer.from(encoded, 'base64url').toString());
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
}
