/** Schedules in the notation of cron. */

export { createToLocal, type LocalMinute, type ToLocal } from './local-minute.ts';
export { nextDue } from './next-due.ts';
export { type CalendarSchedule, matches, parseFiveFields, parseSchedule, type Schedule } from './schedule.ts';
