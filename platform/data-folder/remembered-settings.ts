/**
 * `remembered.json` of a data folder: settings that a start has chosen, or that a flag of one start has set, and that later
 * starts use again.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './write-atomically.ts';

/** A remembered setting. */
interface RememberedSetting {
  value: string;
  /** The configured value that it replaces, empty for an unset one; with another one, it has no effect. */
  insteadOf?: string;
}

/** Remembered settings by the names of their variables. */
type RememberedSettings = Readonly<Record<string, RememberedSetting>>;

/** Name of the file in the data folder. */
export const REMEMBERED_FILE = 'remembered.json';

/** Returns the remembered settings of a data folder, which need not exist. Throws if the file is not valid. */
export async function readRememberedSettings(directory: string): Promise<RememberedSettings> {
  const path = join(directory, REMEMBERED_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const settings = parse(text);
  if (settings === undefined)
    throw new Error(`${path} is not valid. Remove it to forget remembered ports and options.`);
  return settings;
}

/** Changes remembered settings; undefined forgets one. The data folder must exist. */
export async function rememberSettings(
  directory: string,
  changes: Readonly<Record<string, RememberedSetting | undefined>>,
): Promise<void> {
  const before = await readRememberedSettings(directory);
  // JSON has no undefined, so it drops the forgotten ones.
  const content = JSON.stringify({ ...before, ...changes }, null, 2);
  if (content === JSON.stringify(before, null, 2)) return;
  await writeFileAtomically(join(directory, REMEMBERED_FILE), `${content}\n`, 0o600);
}

function parse(text: string): RememberedSettings | undefined {
  try {
    const settings = JSON.parse(text) as unknown;
    const isTable = typeof settings === 'object' && settings !== null && !Array.isArray(settings);
    if (!isTable) return undefined;
    const isValid = Object.values(settings).every((each: unknown) => isRemembered(each));
    return isValid ? (settings as RememberedSettings) : undefined;
  } catch {
    return undefined;
  }
}

function isRemembered(value: unknown): value is RememberedSetting {
  const { value: text, insteadOf } = (value ?? {}) as Partial<RememberedSetting>;
  return typeof text === 'string' && (insteadOf === undefined || typeof insteadOf === 'string');
}
