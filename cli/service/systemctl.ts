/** Runs `systemctl`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 90_000;

/** Runs it, and returns its output. Rejects with an error for people if it fails or is missing. */
export async function systemctl(...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('systemctl', args, { timeout: TIMEOUT_MS });
    return stdout;
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (String(code) === 'ENOENT')
      throw new Error('systemctl was not found: services need Linux with systemd.', { cause: error });
    throw new Error(`systemctl ${args.join(' ')} failed: ${stderr.trim() || message}`, { cause: error });
  }
}
