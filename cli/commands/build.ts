/** `greenroom build`. */
import { ensureBuilt } from '@greenroom/app';

/** Builds the app if its sources have changed. */
export async function build(): Promise<number> {
  const outcome = await ensureBuilt({ log: (line) => void process.stdout.write(`${line}\n`) });
  if (outcome === 'fresh') process.stdout.write('the build is up to date\n');
  return 0;
}
