/** Bundles the program into the folder that the first argument names. Runs in a separate process. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { inputOptions, outputOptions } from './options.ts';
import { PROGRAM_FOLDER } from './plan.ts';

const [into = ''] = process.argv.slice(2);
const bundle = await rolldown(
  inputOptions({ main: join(import.meta.dirname, '..', 'bundled-main.ts') }, PROGRAM_FOLDER),
);
await bundle.write(outputOptions(into));
await bundle.close();
