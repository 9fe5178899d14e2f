#!/usr/bin/env node
/**
 * Entry point of the installed command. Plain JavaScript, because it runs on the first Node.js on the PATH (20 or
 * later). The program itself runs on the Node.js that Greenroom depends on: its bundle, or its sources if it has not been
 * bundled yet.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNode, isNewEnough } from './find-node.mjs';

const FORWARDED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
const MAIN = ['./build/main.js', './main.ts']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

if (isNewEnough()) await import(MAIN.href);
else runOnOther();

/** Continues on another Node.js: in the same process if possible, otherwise in a child process. */
function runOnOther() {
  const node = found();
  const args = [fileURLToPath(MAIN), ...process.argv.slice(2)];
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], process.env);
  // The child ends if this process is killed.
  const env = { ...process.env, GREENROOM_LAUNCHER_PID: String(process.pid) };
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal));
  child.once('error', (error) =>
    fail(`cannot run ${node}: ${error.message}. Run npm ci to install it again.`),
  );
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const each of FORWARDED_SIGNALS) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

function found() {
  try {
    return findNode();
  } catch (error) {
    return fail(error.message);
  }
}

function fail(text) {
  const isJson = process.env.GREENROOM_LOG_FORMAT === 'json';
  const entry = { level: 50, time: new Date().toISOString(), msg: text };
  process.stderr.write(`${isJson ? JSON.stringify(entry) : `error: ${text}`}\n`);
  process.exit(1);
}
