import { describe, expect, it } from 'vitest';
import { PAGE_LIST } from '../navigation.ts';
import { arrangeCommands } from './arrange-commands.ts';
import { listCommands } from './commands.ts';

const commands = listCommands({
  isSignedIn: true,
  isAdmin: false,
  language: 'en',
  page: '/elsewhere',
  login: '/login',
  colour: { preference: 'system', forced: undefined },
});

const arrange = (query: string, recent: string[] = []) =>
  arrangeCommands(commands, query, recent).map(({ name, commands: shown }) => [
    name,
    shown.map(({ id }) => id).join(', '),
  ]);

const pageIds = PAGE_LIST.filter(({ scope }) => scope === 'signedIn').map(({ id }) => `go ${id}`);
const PAGES = ['pages', pageIds.join(', ')];
const SESSION = ['session', 'sign-out local, sign-out others, sign-out global'];
const COLOURS = ['appearance', 'colours system, colours light, colours dark'];
const LANGUAGES = ['language', 'language en, language de'];
const HELP = ['help', 'help'];

describe('arrangeCommands', () => {
  it('shows every group in its order', () => {
    expect(arrange('')).toEqual([PAGES, SESSION, COLOURS, LANGUAGES, HELP]);
  });

  it('shows recent commands first and only once', () => {
    expect(arrange('', ['help', 'colours dark'])).toEqual([
      ['recent', 'help, colours dark'],
      PAGES,
      SESSION,
      ['appearance', 'colours system, colours light'],
      LANGUAGES,
    ]);
  });

  it('omits recent commands that are unavailable', () => {
    expect(arrange('', ['go users'])).toEqual([PAGES, SESSION, COLOURS, LANGUAGES, HELP]);
  });

  it('shows the group of the best match first and recent commands in their own group', () => {
    expect(arrange('dark', ['help'])).toEqual([['appearance', 'colours dark']]);
    expect(arrange('sess')).toEqual([
      ['pages', 'go home'],
      ['session', 'sign-out others, sign-out global'],
    ]);
    expect(arrange('device')[0]).toEqual(['session', 'sign-out others, sign-out local, sign-out global']);
  });

  it('shows no group without a match', () => {
    expect(arrange('pelican', ['help'])).toEqual([]);
  });
});
