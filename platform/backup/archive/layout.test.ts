import { expect, it } from 'vitest';
import {
  BACKUP_ID,
  checkName,
  lineageOf,
  logPieceName,
  manifestName,
  newBackupId,
  parseBackupFile,
  parseLogPiece,
  parseRound,
  referencesName,
  roundName,
  timeText,
} from './layout.ts';

const TIME = new Date('2026-11-27T10:15:00.999Z');
const LINEAGE = lineageOf({ systemId: '7345678901234567890', timeline: 12 });

it('ids of backups are different, and begin with the time in UTC', () => {
  const id = newBackupId(TIME);
  expect(id).toMatch(/^20261127T101500Z-[0-9a-f]{6}$/);
  expect(id).toMatch(BACKUP_ID);
  expect(newBackupId(TIME)).not.toBe(id);
});

it('names of backups contain their id and kind', () => {
  const id = newBackupId(TIME);
  expect(parseBackupFile(manifestName(id))).toEqual({ id, kind: 'manifest' });
  expect(parseBackupFile(referencesName(id))).toEqual({ id, kind: 'references' });
  expect(parseBackupFile(checkName(id))).toEqual({ id, kind: 'check' });
});

it('names of pieces of the log contain lineage and positions', () => {
  const piece = { lineage: LINEAGE, start: '00000000015A0000', end: '00000000015B0000' };
  expect(logPieceName(piece)).toBe(`wal/7345678901234567890-12/00000000015A0000-00000000015B0000`);
  expect(parseLogPiece(logPieceName(piece))).toEqual(piece);
});

it('names of rounds contain lineage, time and number', () => {
  const round = { lineage: LINEAGE, time: timeText(TIME), number: 42 };
  expect(roundName(round)).toBe('content/7345678901234567890-12/20261127T101500Z-000042');
  expect(parseRound(roundName(round))).toEqual(round);
});

it.each([
  'backups/x.json',
  'checks/20261127T101500Z-abcdef.references',
  'wal/1-1/head.json',
  'wal/1-1/00000000015a0000-00000000015B0000',
  'content/1-1/20261127T101500Z',
  'archive.json',
])('%s is no backup, piece or round', (name) => {
  expect([parseBackupFile(name), parseLogPiece(name), parseRound(name)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
