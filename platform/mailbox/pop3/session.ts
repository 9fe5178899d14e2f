/** The state machine of a POP3 session (RFC 1939), without its connection. */

import type { Mails } from '../mails/mails.ts';
import { type Maildrop, openMaildrop } from './maildrop.ts';
import { content, error, list, ok, type Reply, topOf } from './replies.ts';

/** A session. Commands must be handled one after the other. */
export interface Pop3Session {
  greeting: Reply;
  /** Handles one command without its line end. */
  handle(line: string): Promise<Reply>;
}

/** Until the login, then until QUIT. Every name and password is accepted, because only this machine can connect. */
type State =
  | { kind: 'authorization'; hasName: boolean }
  | { kind: 'transaction'; drop: Maildrop }
  | { kind: 'ended' };

/** RFC 2449. */
const CAPABILITIES = ['USER', 'TOP', 'UIDL', 'PIPELINING', 'IMPLEMENTATION Greenroom'];
const MAX_TOP_LINES = 1_000_000;

type Command = (drop: Maildrop, args: readonly string[]) => Reply | Promise<Reply>;

/** The commands after the login. */
const COMMANDS: Readonly<Record<string, Command>> = {
  STAT(drop) {
    const present = drop.present();
    return ok(`${present.length} ${sum(present)}`);
  },
  LIST: (drop, [number]) => listing(drop, number, ({ size }) => String(size)),
  UIDL: (drop, [number]) => listing(drop, number, ({ id }) => id),
  async RETR(drop, [number]) {
    const source = await drop.source(numberOf(number));
    return source === undefined ? NO_SUCH_MAIL : content(`${source.length} octets`, source);
  },
  async TOP(drop, [number, lines]) {
    const lineCount = numberOf(lines);
    if (!(lineCount >= 0)) return error('TOP needs the number of a mail and a number of lines');
    const source = await drop.source(numberOf(number));
    return source === undefined ? NO_SUCH_MAIL : content('top of the mail', topOf(source, lineCount));
  },
  DELE(drop, [number]) {
    if (drop.get(numberOf(number)) === undefined) return NO_SUCH_MAIL;
    drop.markDeleted(numberOf(number));
    return ok('marked for deletion');
  },
  RSET(drop) {
    drop.reset();
    return ok('no mail is marked for deletion');
  },
  NOOP: () => ok(''),
};

/** Commands that clients try before the login, and that this server does not have. */
const OTHER_COMMANDS = new Set(['APOP', 'AUTH', 'STLS', 'UTF8', 'LANG']);

const NO_SUCH_MAIL = error('no such mail');

/** Creates a session that waits for its login. */
export function createPop3Session(mails: Pick<Mails, 'list' | 'find' | 'remove'>): Pop3Session {
  let state: State = { kind: 'authorization', hasName: false };

  async function authorize(name: string, hasName: boolean): Promise<Reply> {
    if (name === 'USER') {
      state = { kind: 'authorization', hasName: true };
      return ok('send the password');
    }
    if (name !== 'PASS') {
      const reply = error('log in with USER and PASS first');
      // A web page can make a browser send an HTTP request whose body has commands.
      return { ...reply, ends: !(name === '' || OTHER_COMMANDS.has(name) || Object.hasOwn(COMMANDS, name)) };
    }
    if (!hasName) return error('USER comes first');
    const drop = await openMaildrop(mails);
    state = { kind: 'transaction', drop };
    return ok(`${drop.present().length} mails`);
  }

  return {
    greeting: ok('Greenroom'),
    async handle(line) {
      const [word = '', ...args] = line.trim().split(/ +/);
      const name = word.toUpperCase();
      if (state.kind === 'ended') return { ...error('the session has ended'), ends: true };
      if (name === 'CAPA') return list('capabilities', CAPABILITIES);
      if (name === 'QUIT') {
        if (state.kind === 'transaction') await state.drop.expunge();
        state = { kind: 'ended' };
        return { ...ok('bye'), ends: true };
      }
      if (state.kind === 'authorization') return authorize(name, state.hasName);
      const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
      return command === undefined ? error('unknown command') : command(state.drop, args);
    },
  };
}

function listing(
  drop: Maildrop,
  number: string | undefined,
  describe: (mail: { id: string; size: number }) => string,
): Reply {
  if (number === undefined) {
    return list(
      'mails follow',
      drop.present().map((mail) => `${mail.number} ${describe(mail)}`),
    );
  }
  const mail = drop.get(numberOf(number));
  return mail === undefined ? NO_SUCH_MAIL : ok(`${number} ${describe(mail)}`);
}

/** Returns NaN for a text that is no number. */
function numberOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Math.min(Number(text), MAX_TOP_LINES) : Number.NaN;
}

function sum(mails: readonly { size: number }[]): number {
  return mails.reduce((total, { size }) => total + size, 0);
}
