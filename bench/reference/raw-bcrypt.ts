/** The reference for sign-ins: the comparison of the password alone, by the same library on as many threads. */
import { verify } from '@node-rs/bcrypt';
import { loadInput, serveLoad } from '../measure/load-process.ts';

const { password, hash, concurrency } = loadInput<{ password: string; hash: string; concurrency: number }>();

serveLoad(concurrency, async () => {
  if (!(await verify(password, hash))) throw new Error('the password does not match');
});
