/** The option of commands that print text for people, or JSON for programs. */
export const FORMAT_OPTION = {
  short: 'o',
  value: 'format',
  choices: ['pretty', 'json'],
  default: 'pretty',
  summary: 'Format of the output',
} as const;
