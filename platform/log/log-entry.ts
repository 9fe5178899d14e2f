/** Lines of the log of an instance: JSON of the logger, and lines that the start and the stop print. */
import { printable } from './printable.ts';

/** The levels of pino: 10, 20, and so on. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Services by the prefix of the path of a request; the app responds to all other paths. */
const SERVICES_BY_PREFIX = {
  '/auth/v1': 'auth',
  '/rest/v1': 'rest',
  '/realtime/v1': 'realtime',
  '/storage/v1': 'storage',
  '/functions/v1': 'functions',
  '/pg': 'meta',
  '/operator/v1': 'operator',
} as const;

const SERVICES_OF_PATHS = Object.values(SERVICES_BY_PREFIX);

/** The values of `--service`; `greenroom` has lines that belong to no request. */
export const LOG_SERVICES = [...SERVICES_OF_PATHS, 'app', 'postgres', 'greenroom'] as const;

type LogService = (typeof LOG_SERVICES)[number];

/** A line of a log. */
export interface LogEntry {
  /** ISO 8601; null for a line that is no JSON of the logger. */
  timestamp: string | null;
  level: string | null;
  service: LogService;
  /** The whole line, as the log has it. */
  line: string;
  /** The message; the whole line if it is no JSON of the logger. */
  message: string;
  /** The other members of the JSON. */
  fields: Readonly<Record<string, unknown>>;
}

/** Parses a line. */
export function parseLogLine(line: string): LogEntry {
  const parsed = parseObject(line);
  if (parsed === undefined)
    return { timestamp: null, level: null, service: 'greenroom', line, message: line, fields: {} };
  const { time, level, msg, ...fields } = parsed;
  return {
    timestamp: typeof time === 'string' ? time : null,
    level: LOG_LEVELS[Number(level) / 10 - 1] ?? null,
    service: serviceOf(fields),
    line,
    message: String(msg ?? ''),
    fields,
  };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Lines of a function have its name. */
function serviceOf({ path, postgres, function: name }: Readonly<Record<string, unknown>>): LogService {
  if (postgres !== undefined) return 'postgres';
  if (name !== undefined) return 'functions';
  if (typeof path !== 'string') return 'greenroom';
  const [, prefix = ''] = /^(\/pg|\/[a-z]+\/v1)(?:\/|$)/.exec(path) ?? [];
  return Object.hasOwn(SERVICES_BY_PREFIX, prefix)
    ? SERVICES_BY_PREFIX[prefix as keyof typeof SERVICES_BY_PREFIX]
    : 'app';
}

/** Returns a line for people: time, level, service, message and fields. Control characters are visible. */
export function textOf({ timestamp, level, service, message, fields }: LogEntry): string {
  if (timestamp === null) return printable(`[${service}] ${message}`.trimEnd(), '\t');
  const values = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  return printable(`${timestamp} ${(level ?? '').padEnd(5)} [${service}] ${message}${values.join('')}`, '\t');
}

/** An error is shown by its message; the formats with JSON contain its stack. */
function shown(value: unknown): string {
  const isError = typeof value === 'object' && value !== null && 'message' in value;
  const text = isError ? value.message : value;
  return typeof text === 'string' && /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
