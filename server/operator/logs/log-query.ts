/** The query of the routes of the log. */
import { LOG_LEVELS } from '@greenroom/log';
import type { FoundLine, LogFilter, Position } from '@greenroom/log/store';
import { z } from 'zod';

const MAX_TEXT_LENGTH = 500;
const MAX_LIMIT = 500;
const STATUS = /^(?:[1-5]xx|[1-5]\d\d)$/;
const POSITION = /^(\d{1,10})-(\d{1,12})$/;

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const text = z.string().min(1).max(MAX_TEXT_LENGTH).optional();

const filterFields = {
  from: time.optional(),
  to: time.optional(),
  service: text,
  level: z.enum(LOG_LEVELS).optional(),
  /** `404`, or `5xx` for a class. */
  status: z.string().regex(STATUS, 'must be a status such as 404, or a class such as 5xx').optional(),
  user: text,
  request: text,
  text,
};

/** The query of `GET /logs/tail`. */
export const tailQuery = z.strictObject(filterFields);

/** The query of `GET /logs`. */
export const searchQuery = z.strictObject({
  ...filterFields,
  before: z.string().regex(POSITION, 'must be the value of `next`').optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(100),
});

/** Returns the filter of a query. */
export function filterOf({ status, ...filter }: z.output<typeof tailQuery>): LogFilter {
  return { ...filter, status: status === undefined ? undefined : rangeOf(status) };
}

function rangeOf(status: string): { min: number; max: number } {
  const isClass = status.endsWith('xx');
  const min = isClass ? Number(status.charAt(0)) * 100 : Number(status);
  return { min, max: isClass ? min + 99 : min };
}

/** Parses a place in the log. */
export function positionOf(text: string | undefined): Position | undefined {
  const [, segment, offset] = POSITION.exec(text ?? '') ?? [];
  return segment === undefined ? undefined : { segment: Number(segment), offset: Number(offset) };
}

/** Returns a place in the log as a text. */
export function textOfPosition({ segment, offset }: Position): string {
  return `${segment}-${offset}`;
}

/** A line in responses. */
interface WrittenLogLine {
  /** The place of the line. */
  id: string;
  time: string | null;
  level: string | null;
  service: string;
  message: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Returns a line for a response. */
export function writtenLine({
  position,
  timestamp,
  level,
  service,
  message,
  fields,
}: FoundLine): WrittenLogLine {
  return { id: textOfPosition(position), time: timestamp, level, service, message, fields };
}
