/** Bundles the program into the folder that the first argument names. Runs in a separate process. */
import { rolldown } from 'rolldown';
import { ENTRY_POINTS } from './entry-points.ts';
import { inputOptions, outputOptions } from './options.ts';
import { PROGRAM_FOLDER } from './plan.ts';

const [into = ''] = process.argv.slice(2);
const bundle = await rolldown(inputOptions(ENTRY_POINTS, PROGRAM_FOLDER));
await bundle.write(outputOptions(into));
await bundle.close();
