/** Where prepared functions are if the server is root. */
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openPreparedFolder } from './places.ts';

it.runIf(process.getuid?.() === 0)(
  'a data folder that is open to other users contains its functions',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-places-'));
    await chmod(folder, 0o711);
    expect(await openPreparedFolder(folder)).toBe(join(folder, 'functions'));
    await rm(folder, { recursive: true });
  },
);

it.runIf(process.getuid?.() === 0)(
  'functions of a closed data folder are in a system folder, which later starts remove when the data folder is gone',
  async () => {
    const closed = await mkdtemp(join(tmpdir(), 'greenroom-places-'));
    const other = await mkdtemp(join(tmpdir(), 'greenroom-places-'));
    const prepared = await openPreparedFolder(closed);
    expect(dirname(prepared)).not.toBe(closed);
    await rm(closed, { recursive: true });
    expect(existsSync(prepared)).toBe(true);
    await openPreparedFolder(other);
    expect(existsSync(prepared)).toBe(false);
    await rm(other, { recursive: true });
  },
);
