/** An authority for tests: the program `pebble`, if the machine has it (Debian: `apt-get install pebble`). */
export { startTestAuthority, type TestAuthority, WITHOUT_PEBBLE } from './pebble.ts';
