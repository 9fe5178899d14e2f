import type { BadgeTone } from 'greenroom/app';

/** The states of a project, with their names and colours. */
export const PROJECT_STATES: Readonly<Record<string, { name: string; tone: BadgeTone }>> = {
  active: { name: 'Active', tone: 'primary' },
  paused: { name: 'Paused', tone: 'warning' },
  done: { name: 'Done', tone: 'neutral' },
};
