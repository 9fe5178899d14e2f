import { expect, it } from 'vitest';
import { explainLoadError } from './explain-load-error.ts';

/** Logs of PostgreSQL 18.4 after `LOAD`. */
it.each([
  ['nothing', 'LOG:  checkpoint starting: shutdown immediate\n', undefined],
  [
    'another major version',
    'ERROR:  incompatible library "/x/old.so": version mismatch\nDETAIL:  Server is version 18, library is version 17.\n',
    { kind: 'errors', message: 'a.so was built for PostgreSQL 17; this is PostgreSQL 18' },
  ],
  [
    'no magic block',
    'ERROR:  incompatible library "/x/a.so": missing magic block\nHINT:  Extension libraries are required to use the PG_MODULE_MAGIC macro.\n',
    { kind: 'errors', message: 'a.so is not an extension of PostgreSQL (no magic block)' },
  ],
  [
    'another detail of the build',
    'ERROR:  incompatible library "/x/a.so": magic block mismatch\nDETAIL:  Server has FUNC_MAX_ARGS = 100, library has 200.\n',
    {
      kind: 'errors',
      message:
        'a.so cannot be loaded: incompatible library "/x/a.so": magic block mismatch (Server has FUNC_MAX_ARGS = 100, library has 200.)',
    },
  ],
  [
    'a newer C library',
    'ERROR:  could not load library "/x/a.so": /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_9.99\' not found (required by /x/a.so)\n',
    { kind: 'errors', message: expect.stringMatching(/^a\.so needs GLIBC_9\.99, .*build it here\.$/) },
  ],
  [
    'a missing library',
    'ERROR:  could not load library "/x/a.so": libproj.so.25: cannot open shared object file: No such file or directory\n',
    {
      kind: 'errors',
      message: 'a.so needs the library libproj.so.25, which this system does not have; install it first',
    },
  ],
  [
    'an invalid file',
    'ERROR:  could not load library "/x/a.so": /x/a.so: file too short\n',
    { kind: 'errors', message: 'a.so cannot be loaded: /x/a.so: file too short' },
  ],
  [
    'a crash',
    '\nFATAL:  the process ended with SIGSEGV',
    { kind: 'errors', message: 'a.so cannot be loaded: the process ended with SIGSEGV' },
  ],
  [
    'an error of the library itself',
    'FATAL:  pg_cron can only be loaded via shared_preload_libraries\n',
    {
      kind: 'warnings',
      message: 'a.so was loaded and reports: pg_cron can only be loaded via shared_preload_libraries',
    },
  ],
])('explains %s', (_, log, expected) => {
  expect(explainLoadError('a.so', log)).toEqual(expected);
});
