#!/usr/bin/env node
/**
 * Entry point of the installed command. Plain JavaScript, because it runs on the first Node.js on the PATH (20 or
 * later). The program itself runs on the Node.js that Greenroom depends on: its bundle, or its sources if it has not been
 * bundled yet.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const FORWARDED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
const MAIN = ['./build/main.js', './main.ts']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

const [major = 0] = process.versions.node.split('.').map(Number);
if (major >= NEEDED_MAJOR) await import(MAIN.href);
else runOn(createRequire(import.meta.url).resolve('node/bin/node'));

/** Continues on another Node.js: in the same process if possible, otherwise in a child process. */
function runOn(node) {
  const args = [fileURLToPath(MAIN), ...process.argv.slice(2)];
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], process.env);
  // The child ends if this process is killed.
  const env = { ...process.env, GREENROOM_LAUNCHER_PID: String(process.pid) };
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(
      `error: cannot run Node.js ${NEEDED_MAJOR}: ${error.message}. Run "npm ci" to install it.\n`,
    );
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const each of FORWARDED_SIGNALS) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}
