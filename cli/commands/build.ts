import { ensureBuilt } from '../ensure-built.ts';
import { type ProjectOptions, readSettings } from '../settings.ts';

/** Builds the pages, the program and the database template if their sources have changed. */
export async function buildAll(options: ProjectOptions): Promise<number> {
  const { product } = await readSettings(options);
  const outcome = await ensureBuilt({
    createsDatabase: true,
    product,
    buildsAll: true,
    log: (line) => void process.stdout.write(`${line}\n`),
  });
  if (outcome === 'fresh') process.stdout.write('the build is up to date\n');
  return 0;
}
