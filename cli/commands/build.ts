import { ensureBuilt } from '../ensure-built.ts';

/** Builds the app, the program and the database template if their sources have changed. */
export async function buildAll(): Promise<number> {
  const outcome = await ensureBuilt({
    createsDatabase: true,
    log: (line) => void process.stdout.write(`${line}\n`),
  });
  if (outcome === 'fresh') process.stdout.write('the build is up to date\n');
  return 0;
}
